ffngen-${verb.name}(1) "ffngen ${version}"

# NAME

ffngen-${verb.name} - ${verb.title}

# SYNOPSIS

*ffngen ${verb.name}* ${verb.usage}

# DESCRIPTION
% for _, paragraph in ipairs(verb.purpose) do

${paragraph}
% end

# EXAMPLES
% for _, item in ipairs(verb.examples) do

${item.meaning}

```
$ ${item.typed}
```
% end

# OPTIONS
% for _, item in ipairs(verb.options) do

${item.name}
	${item.meaning}
% end
% for _, own in ipairs(verb.tables) do

${own.title}:

```
${own.text}
```
% end

# FILES
% for _, item in ipairs(verb.files) do

${item.name}
	${item.meaning}
% end

# EXIT STATUS
% for _, item in ipairs(verb.exits) do

${item.name}
	${item.meaning}
% end

# SEE ALSO

*ffngen*(1)

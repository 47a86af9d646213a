--- Words that systems keep for themselves: what a file, a library, a target or a namespace of a
--- product may not be called. common/prefix_words.lua asks them.
local M = {}

--- The words of a text, as a set.
local function set(text)
  local words = {}
  for word in text:gmatch '%S+' do words[word] = true end
  return words
end

--- Keywords of C23 and C++20.
M.keywords = set [[
  alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
  char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
  constinit continue decltype default delete do double dynamic_cast else enum explicit export
  extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
  nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
  return short signed sizeof static static_assert static_cast struct switch template this
  thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
  virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic _Bool _Complex _Generic
  _Imaginary _Noreturn _Static_assert _Thread_local
]]

--- Headers NAME.h, which a folder of a product's would hide behind its -I; and those of C++, which
--- have the names of its classes.
M.headers = set [[
  a_out accctrl aclapi aio algorithm aliases alloca altivec any ar argp argz arm64intr arm_acle
  arm_bf16 arm_cde arm_cmse arm_fp16 arm_mve arm_neon arm_sme arm_sve armintr array asl assert
  atomic availability backtrace barrier basetsd bcrypt bit bitset bitstring bootparams builtins
  byteswap cassert ccomplex cctype cderr cerrno cet cfenv cfloat cguid charconv chrono cinttypes
  ciso646 climits clocale cmath codecvt combaseapi commctrl commdlg compare complex concepts
  condition_variable conio contracts copyfile corecrt coroutine cpio cpuid crt_externs crtdbg
  crtdefs crtwrn crypt csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib
  cstring ctgmath ctime ctype cuchar cwchar cwctype cxxabi db dbghelp dde ddeml debugging delayimp
  deque devguid direct dirent dispatch dlfcn dlgs dos eh elf endian envz err errno error eti
  exception excpt execinfo execution expected experimental fcgi fcntl features fenv fibersapi
  filesystem flat_map flat_set float fmtmsg fnmatch format forward_list fpieee fpu_control fstab
  fstream fts ftw functional future gconv gcov generator getopt glob grp gshadow guiddef hash_map
  hash_set hazard_pointer hesiod hive iconv ieeefp ifaddrs imm initguid initializer_list
  inplace_vector intrin intsafe inttypes io iomanip ios iosfwd iostream ipexport iphlpapi iptypes
  iso646 istream iterator kernelspecs kvm langinfo larchintrin lastlog lasxintrin latch launch
  libgen libintl libproc libutil limits linalg link list lmcons locale login_cap lsxintrin
  lzexpand mach malloc malloc_np map math mbctype mbstring mcheck mcx mdspan mem membership memory
  memory_resource meta minmax minwindef mm3dnow mm_malloc mmsystem mntent module monetary mpool
  mqueue msa msacm mswsock mutex nb30 ncrypt ndbm ndir netdb new newapis nl_types nlist notify nss
  nsswitch ntdef ntstatus numbers numeric oaidl objbase objc objidl obstack ocidl ole ole2 oleauto
  oleidl omp ompt openacc optional ostream pam paths pdh pecoff poll poppack powrprof print printf
  proc_service process processthreadsapi propidl prsht psapi pshpack1 pshpack2 pshpack4 pshpack8
  pthread pthread_np pty pwd quadmath queue random ranges ranlib ratio rcu re_comp readpassphrase
  reason regex regexp removefile resolv riscv_vector rpc rpcasync rpcdce rpcdcep rpcndr rpcnsi
  rpcnsip rpcnterr sal sandbox sched scoped_allocator sdkddkver search security semaphore servprov
  set setjmp setupapi sgtty shadow share shared_mutex shellapi shlobj shlwapi signal signum simd
  source_location span spanstream spawn spe specstrings sspi sstream stab stack stacktrace
  stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdexcept stdexcpt stdfix stdfloat
  stdint stdio stdio_ext stdlib stdnoreturn stop_token stralign streamb streambuf strhash string
  string_view stringlist strings stropts strstream struct synchapi syncstream syscall sysexits
  sysinfo syslimits syslog system_error tar tchar term termio termios text_encoding tgmath thread
  thread_db threads time timeapi timeb timeconv tlhelp32 trace ttyent tuple type_traits typeindex
  typeinfo uchar ucontext ulimit unistd unknwn unordered_map unordered_set unwind urlmon useoldio
  userenv usermanv ustat util utility utime utmp utmpx uuid vadefs valarray values varargs variant
  vcruntime vector version vfw vis wait wasm_simd128 wchar wctype winbase wincodec wincon wincred
  wincrypt windef windows windowsx winerror wingdi wininet winioctl winnetwk winnls winnt winperf
  winreg winresrc winscard winsdkver winsmcrd winsock winsock2 winspool winsvc winternl wintrust
  winuser winver wnnc wordexp wow64apiset wpapi ws2def ws2ipdef ws2tcpip wspiapi wtypes wtypesbase
  xattr xlocale xmath yvals zconf
]]

--- Names that no file can have on Windows, with any ending.
M.devices = set [[
  aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6
  lpt7 lpt8 lpt9 nul prn
]]

--- Targets that build systems have already.
M.targets = set [[
  all benchmark clean coverage depend dist edit_cache help install list_install_components package
  package_source preinstall rebuild_cache reconfigure test uninstall
]]

--- Libraries libNAME, which linkers would find in a product's folder in place of the system's.
M.libraries = set [[
  advapi32 anl asan atomic bcrypt bsd comdlg32 crypt dl gcc gcc_s gcov gdi32 gfortran gomp iomp5
  itm kernel32 lsan mingw32 mingwex moldname msvcrt nsl nss objc ole32 oleaut32 omp pthread
  quadmath resolv rt shell32 ssp stdc supc system thread_db tsan ubsan ucrt unwind user32 util
  uuid winmm winpthread ws2_32
]]

--- What C, POSIX and their systems declare for every file that includes their headers, lower-case
--- macros of compilers (linux and unix are 1 under gnu++17) and what C++ keeps: no namespace may
--- have such a name, and no function.
M.names = set [[
  a64l abort abs accept accept4 access acct acos acosf acosh acoshf acoshl acosl active_reg_t
  addrinfo addseverity adjtime aio_cancel aio_cancel64 aio_error aio_error64 aio_fsync aio_fsync64
  aio_init aio_read aio_read64 aio_return aio_return64 aio_suspend aio_suspend64 aio_write
  aio_write64 aiocb aiocb64 aioinit alarm aligned_alloc alloca alphasort alphasort64 arc4random
  arc4random_addrandom arc4random_buf arc4random_uniform asctime asctime_r asin asinf asinh asinhf
  asinhl asinl asprintf assert assert_perror at_quick_exit atan atan2 atan2f atan2l atanf atanh
  atanhf atanhl atanl atexit atof atoi atol atoll basename bcmp bcopy be16toh be32toh be64toh beep
  bind bind_textdomain_codeset bindresvport bindresvport6 bindtextdomain blkcnt64_t blkcnt_t
  blksize_t boolean brk bsearch btowc byte bzero c16rtomb c32rtomb c8rtomb cabs cabsf cabsl cacos
  cacosf cacosh cacoshf cacoshl cacosl caddr_t call_once calloc canonicalize
  canonicalize_file_name canonicalizef canonicalizel carg cargf cargl casin casinf casinh casinhf
  casinhl casinl catan catanf catanh catanhf catanhl catanl catclose catgets catopen cbrt cbrtf
  cbrtl cc_t ccos ccosf ccosh ccoshf ccoshl ccosl cdecl ceil ceilf ceill cexp cexpf cexpl
  cfgetispeed cfgetospeed cfmakeraw cfsetispeed cfsetospeed cfsetspeed cgets chdir chmod chown
  chroot cimag cimagf cimagl clearenv clearerr clearerr_unlocked clock clock_adjtime
  clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clock_settime clock_t clockid_t
  clog clogf clogl clone close close_range closedir closefrom closelog cmsghdr comparison_fn_t
  complex confstr conj conjf conjl connect cookie_close_function_t cookie_io_functions_t
  cookie_read_function_t cookie_seek_function_t cookie_write_function_t copy_file_range copysign
  copysignf copysignl cos cosf cosh coshf coshl cosl cpow cpowf cpowl cproj cprojf cprojl
  cpu_set_t creal crealf creall creat creat64 crypt csin csinf csinh csinhf csinhl csinl csqrt
  csqrtf csqrtl ctan ctanf ctanh ctanhf ctanhl ctanl ctermid ctime ctime_r cuserid d_fileno dadd
  daddl daddr_t daemon daylight dcgettext dcngettext ddiv ddivl dev_t dfma dfmal dgettext difftime
  dirent dirent64 dirfd dirname div div_t dl_find_object dladdr dladdr1 dlclose dlerror dlinfo
  dlmopen dlopen dlsym dlvsym dmul dmull dngettext double_t dprintf drand48 drand48_data drand48_r
  drem dremf dreml dsqrt dsqrtl dsub dsubl dup dup2 dup3 duplocale dysize eaccess ecvt ecvt_r
  endgrent endhostent endnetent endnetgrent endorder endprotoent endpwent endrpcent endservent
  endusershell endutxent entry environ erand48 erand48_r erf erfc erfcf erfcl erff erfl errno
  error_t euidaccess execl execle execlp execv execve execveat execvp execvpe exit exp exp10
  exp10f exp10l exp2 exp2f exp2l expf expl explicit_bzero expm1 expm1f expm1l f32add f32div f32fma
  f32mul f32sqrt f32sub f32xadd f32xdiv f32xfma f32xmul f32xsqrt f32xsub f64add f64div f64fma
  f64mul f64sqrt f64sub f64xadd f64xdiv f64xfma f64xmul f64xsqrt f64xsub f_owner_ex fabs fabsf
  fabsl faccessat fadd faddl fallocate fallocate64 far fchdir fchmod fchmodat fchown fchownat
  fclose fcloseall fcntl fcntl64 fcvt fcvt_r fd_mask fd_set fdatasync fdim fdimf fdiml fdiv fdivl
  fdopen fdopendir feclearexcept fedisableexcept feenableexcept fegetenv fegetexcept
  fegetexceptflag fegetmode fegetround feholdexcept femode_t fenv_t feof feof_unlocked
  feraiseexcept ferror ferror_unlocked fesetenv fesetexcept fesetexceptflag fesetmode fesetround
  fetestexcept fetestexceptflag feupdateenv fexcept_t fexecve fflush fflush_unlocked ffma ffmal
  ffs ffsl ffsll fgetc fgetc_unlocked fgetgrent fgetgrent_r fgetpos fgetpos64 fgetpwent
  fgetpwent_r fgets fgets_unlocked fgetwc fgetwc_unlocked fgetws fgetws_unlocked file_handle
  fileno fileno_unlocked final finite finitef finitel float_t flock flock64 flockfile floor floorf
  floorl fma fmaf fmal fmax fmaxf fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf
  fmaximum_mag_numl fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numl fmaximumf
  fmaximuml fmaxl fmaxmag fmaxmagf fmaxmagl fmemopen fmin fminf fminimum fminimum_mag
  fminimum_mag_num fminimum_mag_numf fminimum_mag_numl fminimum_magf fminimum_magl fminimum_num
  fminimum_numf fminimum_numl fminimumf fminimuml fminl fminmag fminmagf fminmagl fmod fmodf fmodl
  fmtmsg fmul fmull fnmatch fopen fopen64 fopencookie fork fpathconf fpclassify fpos64_t fpos_t
  fpregset_t fprintf fputc fputc_unlocked fputs fputs_unlocked fputwc fputwc_unlocked fputws
  fputws_unlocked fread fread_unlocked free freeaddrinfo freelocale freopen freopen64 frexp frexpf
  frexpl fromfp fromfpf fromfpl fromfpx fromfpxf fromfpxl fsblkcnt64_t fsblkcnt_t fscanf fseek
  fseeko fseeko64 fsetpos fsetpos64 fsfilcnt64_t fsfilcnt_t fsid_t fsqrt fsqrtl fstat fstat64
  fstatat fstatat64 fstatvfs fstatvfs64 fsub fsubl fsync ftell ftello ftello64 ftok ftruncate
  ftruncate64 ftrylockfile ftw ftw64 funlockfile futimens futimes futimesat fwide fwprintf fwrite
  fwrite_unlocked fwscanf gai_cancel gai_error gai_strerror gai_suspend gaicb gamma gammaf gammal
  gcvt get_current_dir_name getaddrinfo getaddrinfo_a getc getc_unlocked getch getchar
  getchar_unlocked getcpu getcwd getdate getdate_err getdate_r getdelim getdents64 getdirentries
  getdirentries64 getdomainname getdtablesize getegid getentropy getenv geteuid getgid getgrent
  getgrent_r getgrgid getgrgid_r getgrnam getgrnam_r getgrouplist getgroups gethostbyaddr
  gethostbyaddr_r gethostbyname gethostbyname2 gethostbyname2_r gethostbyname_r gethostent
  gethostent_r gethostid gethostname getipv4sourcefilter getitimer getline getloadavg getlogin
  getlogin_r getnameinfo getnetbyaddr getnetbyaddr_r getnetbyname getnetbyname_r getnetent
  getnetent_r getnetgrent getnetgrent_r getopt getpagesize getpass getpayload getpayloadf
  getpayloadl getpeername getpgid getpgrp getpid getppid getpriority getprogname getprotobyname
  getprotobyname_r getprotobynumber getprotobynumber_r getprotoent getprotoent_r getpt getpw
  getpwent getpwent_r getpwnam getpwnam_r getpwuid getpwuid_r getresgid getresuid getrlimit
  getrlimit64 getrpcbyname getrpcbyname_r getrpcbynumber getrpcbynumber_r getrpcent getrpcent_r
  getrusage getservbyname getservbyname_r getservbyport getservbyport_r getservent getservent_r
  getsid getsockname getsockopt getsourcefilter getsubopt gettext gettid gettimeofday getuid
  getumask getusershell getutmp getutmpx getutxent getutxid getutxline getw getwc getwc_unlocked
  getwchar getwchar_unlocked getwd gid_t glob glob64 glob64_t glob_pattern_p glob_t globfree
  globfree64 gmtime gmtime_r grantpt greg_t gregset_t group group_filter group_member group_req
  group_source_req gsignal h_addr h_errno handle hcreate hcreate_r hdestroy hdestroy_r heapsort
  herror hostent hsearch hsearch_data hsearch_r hstrerror htobe16 htobe32 htobe64 htole16 htole32
  htole64 htonl htons hyper hypot hypotf hypotl i386 iconv iconv_close iconv_open iconv_t id_t
  idtype_t if_freenameindex if_indextoname if_nameindex if_nametoindex ifa_broadaddr ifa_dstaddr
  ifaddr ifc_buf ifc_req ifconf ifmap ifr_addr ifr_bandwidth ifr_broadaddr ifr_data ifr_dstaddr
  ifr_flags ifr_hwaddr ifr_ifindex ifr_map ifr_metric ifr_mtu ifr_name ifr_netmask ifr_newname
  ifr_qlen ifr_slave ifreq ilogb ilogbf ilogbl imaxabs imaxdiv imaxdiv_t import in6_addr
  in6_pktinfo in6addr_any in6addr_loopback in_addr in_addr_t in_pktinfo in_port_t index
  inet6_opt_append inet6_opt_find inet6_opt_finish inet6_opt_get_val inet6_opt_init inet6_opt_next
  inet6_opt_set_val inet6_option_alloc inet6_option_append inet6_option_find inet6_option_init
  inet6_option_next inet6_option_space inet6_rth_add inet6_rth_getaddr inet6_rth_init
  inet6_rth_reverse inet6_rth_segments inet6_rth_space inet_addr inet_aton inet_lnaof
  inet_makeaddr inet_net_ntop inet_net_pton inet_neta inet_netof inet_network inet_nsap_addr
  inet_nsap_ntoa inet_ntoa inet_ntop inet_pton initgroups initstate initstate_r innetgr ino64_t
  ino_t insque int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t
  int_least16_t int_least32_t int_least64_t int_least8_t interface intmax_t intptr_t iovec
  ip6_mtuinfo ip_mreq ip_mreq_source ip_mreqn ip_msfilter ip_opts ipc_perm ipv6_mreq iruserok
  iruserok_af isalnum isalnum_l isalpha isalpha_l isascii isascii_l isatty isblank isblank_l
  iscanonical iscntrl iscntrl_l isctype isdigit isdigit_l iseqsig isfdtype isfinite isgraph
  isgraph_l isgreater isgreaterequal isinf isinff isinfl isless islessequal islessgreater islower
  islower_l isnan isnanf isnanl isnormal isprint isprint_l ispunct ispunct_l issignaling isspace
  isspace_l issubnormal isunordered isupper isupper_l iswalnum iswalnum_l iswalpha iswalpha_l
  iswblank iswblank_l iswcntrl iswcntrl_l iswctype iswctype_l iswdigit iswdigit_l iswgraph
  iswgraph_l iswlower iswlower_l iswprint iswprint_l iswpunct iswpunct_l iswspace iswspace_l
  iswupper iswupper_l iswxdigit iswxdigit_l isxdigit isxdigit_l iszero itimerspec itimerval j0 j0f
  j0l j1 j1f j1l jmp_buf jn jnf jnl jrand48 jrand48_r kbhit key_t kill kill_dependency killpg l64a
  labs lchmod lchown lcong48 lcong48_r lconv ldexp ldexpf ldexpl ldiv ldiv_t le16toh le32toh
  le64toh leaf lfind lgamma lgamma_r lgammaf lgammaf128_r lgammaf32_r lgammaf32x_r lgammaf64_r
  lgammaf64x_r lgammaf_r lgammal lgammal_r linger link linkat linux lio_listio lio_listio64 listen
  llabs lldiv lldiv_t llogb llogbf llogbl llrint llrintf llrintl llround llroundf llroundl
  locale_t localeconv localtime localtime_r lockf lockf64 loff_t log log10 log10f log10l log1p
  log1pf log1pl log2 log2f log2l logb logbf logbl logf logl longjmp lrand48 lrand48_r lrint lrintf
  lrintl lround lroundf lroundl lsearch lseek lseek64 lstat lstat64 lutimes m68k madvise mallinfo
  mallinfo2 malloc malloc_info malloc_stats malloc_trim malloc_usable_size mallopt
  math_errhandling max max_align_t mblen mbrlen mbrtoc16 mbrtoc32 mbrtoc8 mbrtowc mbsinit
  mbsnrtowcs mbsrtowcs mbstate_t mbstowcs mbtowc mcontext_t memalign memccpy memchr memcmp memcpy
  memfd_create memfrob memmem memmove memory_order memory_order_acq_rel memory_order_acquire
  memory_order_consume memory_order_relaxed memory_order_release memory_order_seq_cst mempcpy
  memrchr memset mergesort min mincore mips mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat
  mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 mktemp mktime
  mlock mlock2 mlockall mmap mmap64 mmsghdr mode_t modf modff modfl module mprotect mq_attr
  mq_close mq_getattr mq_notify mq_open mq_receive mq_send mq_setattr mq_timedreceive mq_timedsend
  mq_unlink mqd_t mrand48 mrand48_r mremap msg_cbytes msgbuf msgctl msgget msghdr msginfo msglen_t
  msgqnum_t msgrcv msgsnd msqid_ds msync munlock munlockall munmap name_to_handle_at nan nanf nanl
  nanosleep near nearbyint nearbyintf nearbyintl netent newlocale nextafter nextafterf nextafterl
  nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl nextup nextupf nextupl nfds_t
  nftw nftw64 ngettext nice nl_catd nl_item nl_langinfo nl_langinfo_l nlink_t noreturn nrand48
  nrand48_r ntohl ntohs nullptr_t obstack obstack_printf obstack_vprintf off64_t off_t offsetof
  on_exit once_flag open open64 open_by_handle_at open_memstream open_wmemstream openat openat64
  opendir openlog optarg opterr optind optopt osockaddr override pascal passwd pathconf pause
  pclose perror pid_t pipe pipe2 pkey_alloc pkey_free pkey_get pkey_mprotect pkey_set poll pollfd
  popen posix postorder pow powerpc powf powl ppoll pread pread64 preadv preadv2 preadv64
  preadv64v2 preorder printf prlimit prlimit64 process_madvise process_mrelease process_vm_readv
  process_vm_writev profil program_invocation_name program_invocation_short_name protoent pselect
  psiginfo psignal ptrdiff_t ptsname ptsname_r putc putc_unlocked putch putchar putchar_unlocked
  putenv putgrent putpwent puts pututxline putw putwc putwc_unlocked putwchar putwchar_unlocked
  pvalloc pwrite pwrite64 pwritev pwritev2 pwritev64 pwritev64v2 qecvt qecvt_r qelem qfcvt qfcvt_r
  qgcvt qsort qsort_r quad_t quick_exit radixsort raise rand rand_r random random_data random_r
  rawmemchr rcmd rcmd_af re_compile_fastmap re_compile_pattern re_match re_match_2
  re_pattern_buffer re_registers re_search re_search_2 re_set_registers re_set_syntax
  re_syntax_options read readahead readdir readdir64 readdir64_r readdir_r readlink readlinkat
  readv realloc reallocarray realpath recv recvfrom recvmmsg recvmsg reflexpr reg_errcode_t
  reg_syntax_t regcomp regerror regex_t regexec regfree register_t regmatch_t regoff_t remainder
  remainderf remainderl remap_file_pages remove remque remquo remquof remquol rename renameat
  renameat2 revoke rewind rewinddir rexec rexec_af rindex rint rintf rintl rlim64_t rlim_t rlimit
  rlimit64 rmdir round roundeven roundevenf roundevenl roundf roundl rpcent rpmatch rresvport
  rresvport_af rs6000 rusage ruserok ruserok_af s6_addr s6_addr16 s6_addr32 s_reg_t sa_family_t
  sa_handler sa_sigaction sbrk scalb scalbf scalbl scalbln scalblnf scalblnl scalbn scalbnf
  scalbnl scandir scandir64 scandirat scandirat64 scanf sched_get_priority_max
  sched_get_priority_min sched_getaffinity sched_getcpu sched_getparam sched_getscheduler
  sched_param sched_priority sched_rr_get_interval sched_setaffinity sched_setparam
  sched_setscheduler sched_yield secure_getenv seed48 seed48_r seekdir select sem_clockwait
  sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_t sem_timedwait sem_trywait
  sem_unlink sem_wait sembuf semctl semget semid_ds seminfo semop semtimedop send sendmmsg sendmsg
  sendto servent setbuf setbuffer setdomainname setegid setenv seteuid setgid setgrent setgroups
  sethostent sethostid sethostname setipv4sourcefilter setitimer setjmp setlinebuf setlocale
  setlogin setlogmask setnetent setnetgrent setns setpayload setpayloadf setpayloadl setpayloadsig
  setpayloadsigf setpayloadsigl setpgid setpgrp setpriority setproctitle setprotoent setpwent
  setregid setresgid setresuid setreuid setrlimit setrlimit64 setrpcent setservent setsid
  setsockopt setsourcefilter setstate setstate_r settimeofday setuid setusershell setutxent
  setvbuf shm_info shm_open shm_unlink shmat shmatt_t shmctl shmdt shmget shmid_ds shminfo
  shutdown si_addr si_addr_lsb si_arch si_band si_call_addr si_fd si_int si_lower si_overrun
  si_pid si_pkey si_ptr si_status si_stime si_syscall si_timerid si_uid si_upper si_utime si_value
  sig_atomic_t sig_t sigabbrev_np sigaction sigaddset sigaltstack sigandset sigblock sigcontext
  sigdelset sigdescr_np sigemptyset sigev_notify_attributes sigev_notify_function sigevent
  sigevent_t sigfillset siggetmask sighandler_t sighold sigignore siginfo_t siginterrupt
  sigisemptyset sigismember sigjmp_buf siglongjmp sigmask signal signbit signgam significand
  significandf significandl sigorset sigpause sigpending sigprocmask sigqueue sigrelse sigreturn
  sigset sigset_t sigsetjmp sigsetmask sigstack sigsuspend sigtimedwait sigval sigval_t sigwait
  sigwaitinfo sin sincos sincosf sincosl sinf sinh sinhf sinhl sinl size_t sleep small snprintf
  sockaddr sockaddr_in sockaddr_in6 sockaddr_storage sockaddr_un sockatmark socket socketpair
  socklen_t sparc speed_t splice sprintf sqrt sqrtf sqrtl srand srand48 srand48_r srandom
  srandom_r sscanf ssignal ssize_t st_atime st_ctime st_mtime stack_t stat stat64 statvfs
  statvfs64 statx statx_timestamp std stderr stdin stdout stpcpy stpncpy strcasecmp strcasecmp_l
  strcasestr strcat strchr strchrnul strcmp strcoll strcoll_l strcpy strcspn strdup strdupa
  strerror strerror_l strerror_r strerrordesc_np strerrorname_np strfmon strfmon_l strfromd
  strfromf strfromf128 strfromf32 strfromf32x strfromf64 strfromf64x strfroml strfry strftime
  strftime_l strlcat strlcpy strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup
  strndupa strnlen strpbrk strptime strptime_l strrchr strsep strsignal strspn strstr strtod
  strtod_l strtof strtof128 strtof128_l strtof32 strtof32_l strtof32x strtof32x_l strtof64
  strtof64_l strtof64x strtof64x_l strtof_l strtoimax strtok strtok_r strtol strtol_l strtold
  strtold_l strtoll strtoll_l strtonum strtoq strtoul strtoul_l strtoull strtoull_l strtoumax
  strtouq strverscmp strxfrm strxfrm_l sun suseconds_t swab swprintf swscanf symlink symlinkat
  sync sync_file_range syncfs syscall sysconf syslog system sysv_signal tahoe tan tanf tanh tanhf
  tanhl tanl tcdrain tcflag_t tcflow tcflush tcgetattr tcgetpgrp tcgetsid tcp_ca_state
  tcp_cookie_transactions tcp_info tcp_md5sig tcp_repair_opt tcp_repair_window tcp_seq
  tcp_zerocopy_receive tcphdr tcsendbreak tcsetattr tcsetpgrp tdelete tdestroy tee telldir tempnam
  termios textdomain tfind tgamma tgammaf tgammal tgkill time time_t timegm timelocal timer_create
  timer_delete timer_getoverrun timer_gettime timer_settime timer_t timeradd timerclear timercmp
  timerisset timersub times timespec timespec_get timespec_getres timeval timex timezone tm
  tmpfile tmpfile64 tmpnam tmpnam_r tms toascii toascii_l tolower tolower_l totalorder totalorderf
  totalorderl totalordermag totalordermagf totalordermagl toupper toupper_l towctrans towctrans_l
  towlower towlower_l towupper towupper_l trunc truncate truncate64 truncf truncl tsearch ttyname
  ttyname_r ttyslot twalk twalk_r tzname tzset u_char u_int u_int16_t u_int32_t u_int64_t u_int8_t
  u_long u_quad_t u_short ualarm ucontext_t ucred ufromfp ufromfpf ufromfpl ufromfpx ufromfpxf
  ufromfpxl uid_t uint uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t
  uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t
  uintptr_t ulimit ulong umask uname ungetc ungetwc unix unlink unlinkat unlockpt unsetenv unshare
  updwtmpx useconds_t uselocale ushort usleep utimbuf utime utimensat utimes utmp utmpx utmpxname
  utsname uuid va_arg va_copy va_end va_list va_start valloc vasprintf vax vdprintf versionsort
  versionsort64 vfork vfprintf vfscanf vfwprintf vfwscanf vhangup vmsplice vprintf vscanf
  vsnprintf vsprintf vsscanf vswprintf vswscanf vsyslog vwprintf vwscanf wait wait3 wait4 waitid
  waitpid wcpcpy wcpncpy wcrtomb wcscasecmp wcscasecmp_l wcscat wcschr wcschrnul wcscmp wcscoll
  wcscoll_l wcscpy wcscspn wcsdup wcsftime wcsftime_l wcslen wcsncasecmp wcsncasecmp_l wcsncat
  wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr wcstod wcstod_l
  wcstof wcstof128 wcstof128_l wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64 wcstof64_l
  wcstof64x wcstof64x_l wcstof_l wcstoimax wcstok wcstol wcstol_l wcstold wcstold_l wcstoll
  wcstoll_l wcstombs wcstoq wcstoul wcstoul_l wcstoull wcstoull_l wcstoumax wcstouq wcswcs
  wcswidth wcsxfrm wcsxfrm_l wctob wctomb wctrans wctrans_l wctrans_t wctype wctype_l wctype_t
  wcwidth wint_t wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset wordexp wordexp_t wordfree
  wprintf write writev wscanf y0 y0f y0l y1 y1f y1l yn ynf ynl
]]

--- Families of them: what begins so.
M.families = { 'atomic_', 'cnd_', 'mtx_', 'omp_', 'posix_', 'pthread_', 'thrd_', 'tss_' }

return M

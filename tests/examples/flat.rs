//! A SwiGLU layer from Rust, without a crate: what is declared here stands in net_flat.h, which
//! bindgen would translate. Its result is compared with a plain loop's.
//!
//!     ffngen vendor flat.lua --prefix net --flat --out net
//!     cd net && cc -O2 -DNET_NO_MAIN -c *.c && ar crs libnet.a *.o && cd ..
//!     rustc --edition 2021 -O -L net flat.rs && ./flat
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};

const INPUTS: usize = 16; // NET_LAYER_INPUTS, and so on
const OUTPUTS: usize = 16;
const HIDDEN: usize = 40;
const TOKENS: usize = 5;

#[link(name = "net", kind = "static")]
extern "C" {
    fn net_flat_text(status: u32) -> *const c_char;
    fn net_flat_alloc(bytes: usize) -> *mut c_void;
    fn net_flat_free(memory: *mut c_void);
    fn net_layer_packed_bytes() -> usize;
    fn net_layer_work_bytes(threads: usize, tokens: usize) -> usize;
    fn net_layer_pack(packed: *mut c_void, packed_bytes: usize, w_gate: *const f32,
        w_up: *const f32, w_down: *const f32) -> u32;
    fn net_layer_run(y: *mut f32, y_stride: usize, x: *const f32, x_stride: usize, tokens: usize,
        packed: *const c_void, packed_bytes: usize, work: *mut c_void, work_bytes: usize) -> u32;
}

/// Aligned memory, which frees itself.
struct Memory(*mut c_void, usize);

impl Memory {
    fn new(bytes: usize) -> Memory {
        let memory = unsafe { net_flat_alloc(bytes) };
        assert!(!memory.is_null(), "no memory, or no kernel for this CPU");
        Memory(memory, bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        unsafe { net_flat_free(self.0) }
    }
}

/// What a status says, as an error.
fn judged(status: u32) -> Result<(), String> {
    let text = unsafe { CStr::from_ptr(net_flat_text(status)) };
    if status == 0 { Ok(()) } else { Err(text.to_string_lossy().into_owned()) }
}

struct Layer(Memory);

impl Layer {
    fn new(gate: &[f32], up: &[f32], down: &[f32]) -> Result<Layer, String> {
        assert!(gate.len() == HIDDEN * INPUTS && up.len() == HIDDEN * INPUTS);
        assert!(down.len() == OUTPUTS * HIDDEN);
        let packed = Memory::new(unsafe { net_layer_packed_bytes() });
        let (gate, up, down) = (gate.as_ptr(), up.as_ptr(), down.as_ptr());
        judged(unsafe { net_layer_pack(packed.0, packed.1, gate, up, down) })?;
        Ok(Layer(packed))
    }

    /// y = layer(x), with as many tokens as y has.
    fn run(&self, y: &mut [f32], x: &[f32], work: &mut Memory) -> Result<(), String> {
        let tokens = y.len() / OUTPUTS;
        assert!(x.len() >= tokens * INPUTS);
        judged(unsafe {
            net_layer_run(y.as_mut_ptr(), OUTPUTS, x.as_ptr(), INPUTS, tokens, self.0.0, self.0.1,
                work.0, work.1)
        })
    }
}

fn numbers(count: usize, step: usize) -> Vec<f32> {
    (0..count).map(|i| (i * step % 101) as f32 / 64.0 - 0.78125).collect()
}

/// A row of a matrix times x.
fn dot(matrix: &[f32], row: usize, x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(k, v)| matrix[row * x.len() + k] as f64 * v).sum()
}

fn plain(gate: &[f32], up: &[f32], down: &[f32], x: &[f32]) -> Vec<f64> {
    let x: Vec<f64> = x.iter().map(|v| *v as f64).collect();
    let h: Vec<f64> = (0..HIDDEN)
        .map(|i| { let g = dot(gate, i, &x); g / (1.0 + (-g).exp()) * dot(up, i, &x) })
        .collect();
    (0..OUTPUTS).map(|o| dot(down, o, &h)).collect()
}

fn main() -> Result<(), String> {
    let (gate, up) = (numbers(HIDDEN * INPUTS, 37), numbers(HIDDEN * INPUTS, 31));
    let (down, x) = (numbers(OUTPUTS * HIDDEN, 29), numbers(TOKENS * INPUTS, 41));
    let mut y = vec![0.0; TOKENS * OUTPUTS];
    let layer = Layer::new(&gate, &up, &down)?;
    let mut work = Memory::new(unsafe { net_layer_work_bytes(1, TOKENS) });
    layer.run(&mut y, &x, &mut work)?;
    for t in 0..TOKENS {
        let expected = plain(&gate, &up, &down, &x[t * INPUTS..(t + 1) * INPUTS]);
        for (o, e) in expected.iter().enumerate() {
            let given = y[t * OUTPUTS + o] as f64;
            assert!((given - e).abs() < 1e-4, "y[{t}][{o}] = {given}, not {e}");
        }
    }
    let refused = layer.run(&mut y, &x, &mut Memory::new(64)).unwrap_err();
    assert!(refused.starts_with("work memory has too few bytes"), "{refused}");
    println!("Rust: {TOKENS} tokens as a plain loop has them; refused: {refused}");
    Ok(())
}

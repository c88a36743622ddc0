#!/bin/sh
# On a machine with an NVIDIA card: what the probes say beside what nvidia-smi says. Ends with 1 where they differ.
set -eu
cd "$(dirname "$0")/.."
said=$(cargo run -q --release -p rulecheck-probes --example survey | sed -n 's/^gpu\.name #0 *//p')
smi=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
cargo run -q --release -p rulecheck-probes --example survey | grep '^gpu'
nvidia-smi --query-gpu=index,name,memory.total,memory.free,driver_version,compute_cap --format=csv
[ "$said" = "$smi" ] || { echo "the probes say '$said', nvidia-smi says '$smi'" >&2; exit 1; }

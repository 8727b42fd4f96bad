"""Does in an empty Debian what the page Installing says, until the README's document is compiled and its GLB is baked, once for each way to install;
all must write the same bytes. Prints minutes, those of the processors, megabytes downloaded and on disk."""

import os
import re
import shutil
from pathlib import Path

from proofs.common import ROOT, need, printed

NEEDS = "podman, the network, and the files of a release in --files"
APT = "apt-get update\napt-get install --yes --no-install-recommends"
ARCHIVE = "sha256sum --check *.sha256\ntar xzf *.tar.gz\ninstall rigy-batch-*/rigy-batch /usr/local/bin/"
PROGRAM = "rigy-batch --version\nrigy-batch lamp.rigy.yaml\nrigy-batch bake lamp.glb -o plain"
CARGO = f"""{APT} ca-certificates curl gcc libc6-dev
curl -sSfO https://static.rust-lang.org/rustup/dist/x86_64-unknown-linux-gnu/rustup-init
chmod +x rustup-init
./rustup-init -y --profile minimal
. ~/.cargo/env
tar xzf *.crate
cargo install --path rigy-batch-*/ --locked"""
PIP = f"{APT} python3-venv\npython3 -m venv environment\n. environment/bin/activate\npip install ./*.whl"
# Debian 12 has node 18.
NPM = f"{APT} ca-certificates npm\nnpm install ./*.tgz node@22"
WAYS = {  # the files of a release, and what a user types in a directory that has them and the document
    "musl": ("*-x86_64-unknown-linux-musl.tar.gz*", ARCHIVE, PROGRAM),
    "gnu": ("*-x86_64-unknown-linux-gnu.tar.gz*", ARCHIVE, PROGRAM),
    "deb": ("*_amd64.deb", "apt-get install --yes ./*.deb", PROGRAM),
    "pip": ("*_x86_64.whl", PIP, PROGRAM),
    "cargo": ("*.crate", CARGO, PROGRAM),
    "npm": ("rigy-batch-*.tgz", NPM, "npx node lamp.mjs"),
}
SCRIPT = """import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {bake, compile} from "rigy-batch";
const lamp = compile(readFileSync("lamp.rigy.yaml", "utf8"), {name: "lamp.rigy.yaml"});
mkdirSync("plain");
writeFileSync("lamp.glb", lamp.glb);
writeFileSync("lamp.bent.glb", lamp.pose("bent"));
writeFileSync("plain/lamp.glb", bake(lamp.glb));
"""
# The last line that it prints has seconds on the wall, as user and as system, bytes received, bytes on disk and the checksum of all outputs.
MEASURE = """set -euo pipefail
received() { awk '{ sum += $1 } END { print sum }' /sys/class/net/[!l]*/statistics/rx_bytes; }
used() { du -sxB1 --exclude=/var/cache/apt --exclude=/var/lib/apt/lists / | cut -f 1; }
mkdir /try
cd /try
disk=$(used) network=$(received) TIMEFORMAT="%R %U %S"
cp /in/* .
{ time . /scripts/steps.sh >&3 2>&3; } 3>&2 2>/time
echo $(cat /time) $(($(received) - network)) $(($(used) - disk)) $(cat lamp.glb lamp.bent.glb plain/lamp.glb | sha256sum)
"""


def options(parser):
    parser.add_argument("--files", type=Path, default=Path("target/release-archives"), help="archives, package of Debian, wheel, crate, npm package")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--image", default="docker.io/library/debian:bookworm-slim")


def certificates():
    """Options for the certificates of a proxy."""
    file = os.environ.get("SSL_CERT_FILE")
    names = ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "CARGO_HTTP_CAINFO", "PIP_CERT", "NODE_EXTRA_CA_CERTS"]
    return ["-v", f"{file}:/certificates.pem:ro", *(f"--env={name}=/certificates.pem" for name in names)] if file else []


def run(context):
    need("podman")
    given, work, sums = context.options, context.work, {}
    scripts = work / "scripts"
    scripts.mkdir()
    (scripts / "measure.sh").write_text(MEASURE)
    document = re.search(r"^```yaml\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]
    for way in given.ways:
        pattern, install, use = WAYS[way]
        files = sorted((ROOT / given.files).glob(pattern))
        assert files, f"there is no {given.files}/{pattern}"
        inputs = work / "in"
        shutil.rmtree(inputs, ignore_errors=True)
        inputs.mkdir()
        (inputs / "lamp.rigy.yaml").write_text(document)
        (inputs / "lamp.mjs").write_text(SCRIPT)
        for file in files:
            shutil.copy(file, inputs)
        (scripts / "steps.sh").write_text(f"set -x\n{install}\n{use}\n{{ set +x; }} 2>/dev/null\n")
        container = ["podman", "run", "--rm", "-v", f"{inputs}:/in:ro", "-v", f"{scripts}:/scripts:ro", *certificates(), given.image]
        wall, user, system, received, disk, sums[way], _ = printed(*container, "bash", "/scripts/measure.sh").split("\n")[-1].split()
        downloaded = int(received) + sum(file.stat().st_size for file in files)
        print(f"| {way} | {float(wall) / 60:.2f} | {(float(user) + float(system)) / 60:.2f} | {downloaded / 1e6:.1f} | {int(disk) / 1e6:.1f} |", flush=True)
    assert len(set(sums.values())) == 1, f"other bytes: {sums}"

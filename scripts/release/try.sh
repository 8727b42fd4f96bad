#!/usr/bin/env bash
# try.sh FILES [WAY...]: does in an empty Debian what the page Installing says, until the README's document is compiled and its GLB is
# baked, once for each way to install. Prints a row of a table for each: minutes, those of the processors, megabytes downloaded, megabytes on
# disk without what apt keeps for itself. Exit 1 if a way fails, or writes other bytes than the first one.
#
# FILES is a directory with the files of a release, which count as downloaded: archives, the package of Debian, the wheel for x86-64, and
# what `cargo package` and `scripts/npm.sh` make. All ways are tried unless some are named.
# Needs podman and the network. RIGY_BATCH_BASE names another image than that of Debian; SSL_CERT_FILE has the certificates of a proxy.
set -euo pipefail
cd "$(dirname "$0")/../.."

files=$(realpath "${1:?usage: try.sh FILES [WAY...]}")
shift
[ $# -gt 0 ] || set -- musl gnu deb pip cargo npm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a user types in a directory that has the document and the file of the release.
apt='apt-get update
apt-get install --yes --no-install-recommends'
archive='sha256sum --check *.sha256
tar xzf *.tar.gz
install rigy-batch-*/rigy-batch /usr/local/bin/'
program='rigy-batch --version
rigy-batch lamp.rigy.yaml
rigy-batch bake lamp.glb -o plain'
way() {
    run=$program
    case $1 in
    musl | gnu) name="archive, $1" file="*-x86_64-unknown-linux-$1.tar.gz*" install=$archive ;;
    deb) name="package of Debian" file="*_amd64.deb" install="apt-get install --yes ./*.deb" ;;
    pip)
        name="\`pip install\`" file="*_x86_64.whl"
        install="$apt python3-venv
python3 -m venv environment
. environment/bin/activate
pip install ./*.whl"
        ;;
    cargo)
        name="\`cargo install\`" file="*.crate"
        install="$apt ca-certificates curl gcc libc6-dev
curl -sSfO https://static.rust-lang.org/rustup/dist/x86_64-unknown-linux-gnu/rustup-init
chmod +x rustup-init
./rustup-init -y --profile minimal
. ~/.cargo/env
tar xzf *.crate
cargo install --path rigy-batch-*/ --locked"
        ;;
    npm)
        name="\`npm install\`" file="rigy-batch-*.tgz" run="npx node lamp.mjs"
        # Debian 12 has node 18.
        install="$apt ca-certificates npm
npm install ./*.tgz node@22"
        ;;
    *) echo "there is no way \`$1\`" >&2; exit 2 ;;
    esac
}

mkdir "$work/document"
awk '/^```yaml$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' README.md >"$work/document/lamp.rigy.yaml"
cat >"$work/document/lamp.mjs" <<'JAVASCRIPT'
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {bake, compile} from "rigy-batch";
const lamp = compile(readFileSync("lamp.rigy.yaml", "utf8"), {name: "lamp.rigy.yaml"});
mkdirSync("plain");
writeFileSync("lamp.glb", lamp.glb);
writeFileSync("lamp.bent.glb", lamp.pose("bent"));
writeFileSync("plain/lamp.glb", bake(lamp.glb));
JAVASCRIPT
# Runs in the container. The last line that it prints has seconds on the wall, as user and as system, bytes received, bytes on
# disk and the checksum of all outputs.
cat >"$work/measure.sh" <<'MEASURE'
set -euo pipefail
received() { awk '{ sum += $1 } END { print sum }' /sys/class/net/[!l]*/statistics/rx_bytes; }
used() { du -sxB1 --exclude=/var/cache/apt --exclude=/var/lib/apt/lists / | cut -f 1; }
mkdir /try
cd /try
disk=$(used) network=$(received) TIMEFORMAT="%R %U %S"
cp /in/* .
{ time . /steps.sh >&3 2>&3; } 3>&2 2>/time
echo $(cat /time) $(($(received) - network)) $(($(used) - disk)) $(cat lamp.glb lamp.bent.glb plain/lamp.glb | sha256sum)
MEASURE

options=(--rm -v "$work/in:/in:ro" -v "$work/measure.sh:/measure.sh:ro" -v "$work/steps.sh:/steps.sh:ro")
if [ -n "${SSL_CERT_FILE:-}" ]; then
    options+=(-v "$SSL_CERT_FILE:/certificates.pem:ro")
    for variable in SSL_CERT_FILE CURL_CA_BUNDLE CARGO_HTTP_CAINFO PIP_CERT NODE_EXTRA_CA_CERTS; do
        options+=(-e "$variable=/certificates.pem")
    done
fi
image=${RIGY_BATCH_BASE:-docker.io/library/debian:bookworm-slim}
first=
for choice in "$@"; do
    way "$choice"
    rm -rf "$work/in"
    mkdir "$work/in"
    # shellcheck disable=SC2086 # a pattern
    cp "$work"/document/* "$files"/$file "$work/in/"
    printf "%s\n" "set -x" "$install" "$run" "{ set +x; } 2>/dev/null" >"$work/steps.sh"
    result=$(podman run "${options[@]}" "$image" bash /measure.sh | tail -n 1)
    size=$(cat "$work"/in/rigy[-_]batch* | wc -c)
    awk -v name="$name" -v size="$size" '{
        printf "| %s | %.2f | %.2f | %.1f | %.1f |\n", name, $1 / 60, ($2 + $3) / 60, ($4 + size) / 1e6, $5 / 1e6
    }' <<<"$result"
    sum=$(cut -d " " -f 6 <<<"$result")
    [ "${first:=$sum}" = "$sum" ] || { echo "$choice: other bytes than of the way before" >&2; exit 1; }
done

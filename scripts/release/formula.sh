#!/usr/bin/env bash
# formula.sh DIRECTORY ADDRESS: prints the formula of Homebrew for the archives in DIRECTORY, which are downloaded from ADDRESS.
set -euo pipefail
cd "$(dirname "$0")/../.."

directory=${1:?usage: formula.sh DIRECTORY ADDRESS}
address=${2:?usage: formula.sh DIRECTORY ADDRESS}
version=$(sed -n '/^\[package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
expressions=(-e "s|@VERSION@|$version|g" -e "s|@ADDRESS@|$address|g")
for target in aarch64-apple-darwin x86_64-apple-darwin aarch64-unknown-linux-gnu x86_64-unknown-linux-musl; do
    sum=$(cut -d ' ' -f 1 "$directory/rigy-batch-$version-$target.tar.gz.sha256")
    expressions+=(-e "s|@SHA256_$target@|$sum|")
done
sed "${expressions[@]}" packaging/rigy-batch.rb.in

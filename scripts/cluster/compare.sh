# Functions by which the tests of this directory compare runs.
# shellcheck shell=bash

# The hash of the names and bytes of all outputs below a directory.
outputs_of() { # DIRECTORY
    (cd "$1" && find . -name '.rigy-batch*' -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
}

# A report in which outputs count as written that were there already: a task that is started again finds some.
as_if_new() { # REPORT
    sed -E -e 's/"status":"unchanged"/"status":"written"/' \
        -e 's/"written":[0-9]+,"unchanged":[0-9]+/"written":0,"unchanged":0/' "$1"
}

# Functions of test.sh: a Slurm of one controller and two nodes on the loopback, with files below $site alone.
# The caller has declared the arrays `daemons` and, with keys, `node`.
# shellcheck shell=bash disable=SC2154

# Installs Slurm and munge from Debian's packages where they are missing. Their services are not started.
install_slurm() {
    if ! command -v slurmctld slurmd sbatch munged >/dev/null; then
        local packages=(slurmctld slurmd slurm-client munge)
        apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null ||
            { apt-get update -qq; apt-get install -qq -y --no-install-recommends "${packages[@]}" >/dev/null; }
    fi
}

# Writes the configuration. The ports are those of no service.
configure_slurm() {
    mkdir -p "$site"/{state,log}
    head -c 128 /dev/urandom >"$site/munge.key"
    chmod 600 "$site/munge.key"
    # Packages of Debian permit several slurmd on one host, by -N.
    cat >"$site/slurm.conf" <<END
ClusterName=rigy
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=17001
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
# A job that is started again waits for the credentials of its first start to expire.
AuthInfo=socket=$site/munge.socket,cred_expire=10
StateSaveLocation=$site/state
SlurmdSpoolDir=$site/spool.%n
SlurmctldPidFile=$site/slurmctld.pid
SlurmdPidFile=$site/slurmd.%n.pid
SlurmctldLogFile=$site/log/slurmctld
SlurmdLogFile=$site/log/slurmd.%n
# A node that does not answer is given up after so many seconds; sites have 300.
SlurmdTimeout=15
# The processors of both nodes are those of this host.
SlurmdParameters=config_overrides
SelectType=select/linear
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=17011 CPUs=1
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=17012 CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES
END
    export SLURM_CONF=$site/slurm.conf
}

# Starts a node: a daemon with a namespace for it and its processes, so that a kill of the first process ends all of them, as
# when a machine fails.
start_node() { # NAME
    unshare --pid --fork --kill-child --mount-proc slurmd -D -N "$1" </dev/null >>"$site/log/node.$1" 2>&1 &
    node[$1]=$!
}

start_slurm() {
    munged --foreground --key-file="$site/munge.key" --socket="$site/munge.socket" --pid-file="$site/munge.pid" \
        --log-file="$site/log/munged" --seed-file="$site/munge.seed" </dev/null >"$site/log/munged.out" 2>&1 &
    daemons+=($!)
    wait_for 30 "munge does not start" test -S "$site/munge.socket"
    slurmctld -D </dev/null >"$site/log/slurmctld.out" 2>&1 &
    daemons+=($!)
    start_node n1
    start_node n2
    wait_for 60 "the nodes do not start" nodes_are_idle
}

nodes_are_idle() {
    [ "$(sinfo --noheader --Node --format=%t 2>/dev/null | grep -cx idle)" -eq 2 ]
}

# Ends what start_slurm has started, by the ids of the processes.
stop_slurm() {
    local id
    scancel --user="$(id -un)" 2>/dev/null || true
    for id in "${node[@]}"; do kill -KILL "$id" 2>/dev/null || true; done
    for id in "${daemons[@]}"; do kill "$id" 2>/dev/null || true; done
    wait 2>/dev/null
}

# Waits until a command succeeds.
wait_for() { # SECONDS MESSAGE COMMAND...
    local end=$((SECONDS + $1)) message=$2
    shift 2
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "test.sh: $message: see $site/log" >&2; exit 1; }
        sleep 0.2
    done
}

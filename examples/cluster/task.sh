#!/usr/bin/env bash
# One task of the array that submit.sh submits: processes its part of the inputs, and has itself started again, on this node
# or another, if that has failed for a reason that may pass.
#
#   task.sh RETRIES DIRECTORY-FOR-REPORTS PROGRAM ARGUMENT...
#
# A task that is started again, also by Slurm after a node has failed, skips what is done: the cache knows it.
set -u
retries=$1 run=$2
shift 2

# Without `-j` the program uses as many threads as the task has processors.
export RAYON_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
"$@" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --report "$run/$SLURM_ARRAY_TASK_ID.json"
status=$?
# 75: the disk is full, memory is short, or a network file system has lost a file. 137: killed by SIGKILL, which the system
# sends when memory is short.
case $status in
75 | 137)
    if [ "${SLURM_RESTART_COUNT:-0}" -lt "$retries" ]; then
        echo "task $SLURM_ARRAY_TASK_ID ended with status $status on $SLURMD_NODENAME: it is started again"
        # Slurm ends this script.
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && sleep 60
    fi
    ;;
esac
exit $status

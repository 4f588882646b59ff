#!/bin/sh
# A Slurm of one node, for trying things out; from Debian's packages slurm-wlm and munge, as root.
#
#     sh slurm-single-node.sh start FOLDER     writes FOLDER/slurm.conf and starts munged, slurmctld, slurmd
#     sh slurm-single-node.sh stop FOLDER      ends them
#
# It listens on port 16817 and the next; SLURM_PORT=... chooses others.
# Commands find it by:  export SLURM_CONF=FOLDER/slurm.conf

set -eu

usage() {
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

[ $# -eq 2 ] || usage
action=$1
port=${SLURM_PORT:-16817}
mkdir -p "$2"
folder=$(cd "$2" && pwd)

running() { # running NAME: whether the process that wrote FOLDER/NAME.pid is alive
    [ -s "$folder/$1.pid" ] && kill -0 "$(cat "$folder/$1.pid")" 2>/dev/null
}

start() {
    for command in munged slurmctld slurmd sinfo; do
        command -v "$command" >/dev/null || {
            echo "$command is missing: apt-get install slurm-wlm munge" >&2
            exit 1
        }
    done
    [ "$(id -u)" -eq 0 ] || {
        echo "slurmd needs root to start jobs" >&2
        exit 1
    }
    mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
    chmod 700 "$folder/munge"
    host=$(hostname -s)
    memory=$(awk '/^MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
    cat >"$folder/slurm.conf" <<CONF
ClusterName=concord
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    # From 24.05 on Slurm can be told to leave control groups alone; before, it does so with the
    # plugins above.
    if slurmctld -V | awk '{ exit !($2 >= 24.05) }'; then
        echo "CgroupPlugin=disabled" >"$folder/cgroup.conf"
    fi
    if ! running munged; then
        [ -s "$folder/munge/key" ] || dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
        chmod 400 "$folder/munge/key"
        munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
            --pid-file="$folder/munged.pid" --log-file="$folder/munge/log" \
            --seed-file="$folder/munge/seed"
    fi
    running slurmctld || slurmctld -f "$folder/slurm.conf"
    running slurmd || slurmd -f "$folder/slurm.conf"
    tries=0
    until SLURM_CONF=$folder/slurm.conf sinfo --noheader --format=%T 2>/dev/null | grep -q idle; do
        tries=$((tries + 1))
        if [ "$tries" -gt 60 ]; then
            echo "Slurm did not become ready; see $folder/slurmctld.log and $folder/slurmd.log" >&2
            exit 1
        fi
        sleep 1
    done
    echo "export SLURM_CONF=$folder/slurm.conf"
}

stop() {
    for name in slurmd slurmctld munged; do
        if running "$name"; then
            kill "$(cat "$folder/$name.pid")"
        fi
    done
}

case $action in
start) start ;;
stop) stop ;;
*) usage ;;
esac

#!/bin/sh
# A Slurm job array that runs the shares of an experiment, one task a share:
#
#     sbatch --array=1-8 --cpus-per-task=4 slurm-array.sh mine.toml
#     concord merge runs/mine-*/ --out whole
#
# Change the lines below to what your cluster wants. Shares write to ./runs/NAME-i, which must be seen
# from the node that merges; on a network file system Concord takes care of SQLite's journal.
#
#SBATCH --job-name=concord
#SBATCH --time=04:00:00
#SBATCH --mem-per-cpu=2G
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=concord-%A-%a.log

set -eu

experiment=${1:?name an experiment: sbatch --array=1-8 slurm-array.sh mine.toml}
if [ "${SLURM_ARRAY_TASK_MIN:?submit this with --array=1-N}" -ne 1 ]; then
    echo "number the array from 1, as in --array=1-8" >&2
    exit 2
fi
share=$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX
folder=runs/$(basename "$experiment" .toml)-$SLURM_ARRAY_TASK_ID

# A run that was begun, by this task before it was requeued, is gone on with.
if [ -f "$folder/store.sqlite" ]; then
    set -- --resume "$folder"
else
    set -- "$experiment" --shard "$share" --out "$folder"
fi

# exec: what Slurm sends before it kills reaches Concord itself, which then commits and leaves.
exec concord run "$@" --jobs "${SLURM_CPUS_PER_TASK:-1}" --quiet

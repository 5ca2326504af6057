#!/bin/sh
# A job array of Slurm, on machines that share this folder:
#
#   array=$(sbatch --parsable --array=0-15 docs/ci/slurm-array.sh build facts)
#   sbatch --dependency=afterok:"$array" --wrap 'samedevice link facts/*.facts'
#SBATCH --job-name=samedevice --cpus-per-task=1 --mem=2G
set -eu
# Slurm runs a copy of this file: what is beside it, is beside it in the folder where it was submitted.
exec "${SLURM_SUBMIT_DIR:-.}/docs/ci/facts-of-part.sh" \
  "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT" "$1" "$2"

#!/bin/bash
# A data set by a Slurm array: sbatch Examples/Bulk/slurm-array.sh rows.jsonl /shared/rooms
# Each of the 64 tasks computes one shard with the processors that Slurm gives it. A task that was preempted or killed is queued
# again and goes on where it was; the bytes do not depend on the number of tasks.
#SBATCH --job-name=ossicle
#SBATCH --array=0-63
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -euo pipefail
manifest=${1:?Usage: sbatch slurm-array.sh MANIFEST FOLDER}
folder=${2:?Usage: sbatch slurm-array.sh MANIFEST FOLDER}
status=0
ossicle batch "$manifest" --out "$folder" --seed "${OSSICLE_SEED:-0}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --jobs "${SLURM_CPUS_PER_TASK:-1}" || status=$?
# 3: some rows could not be done. They are in failures-….jsonl, and another try would not help.
[ "$status" -eq 3 ] || exit "$status"

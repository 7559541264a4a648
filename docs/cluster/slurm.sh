#!/usr/bin/env bash
#SBATCH --job-name=tricorne-study
#SBATCH --nodes=12
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
# A study on Slurm: Ray's head on the first machine, a node of Ray on each, then the study. The virtual environment with
# tricorne[ray] and the folder for the parts are on a file system that all machines share. Sent again, it goes on.
set -euo pipefail
source "${VENV:-$HOME/tricorne/bin/activate}"
export PARTS=${PARTS:-$SLURM_SUBMIT_DIR/parts} RAY_DISABLE_USAGE_STATS=1

mapfile -t machines < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${machines[0]}
address=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address | awk '{print $1}'):6379

srun --nodes=1 --ntasks=1 -w "$head" \
  ray start --head --node-ip-address="${address%:*}" --port=6379 --num-cpus="$SLURM_CPUS_PER_TASK" --block &
# The others join once the head answers.
until ray health-check --address "$address" 2>/dev/null; do sleep 2; done
if [ "${#machines[@]}" -gt 1 ]; then
  srun --nodes=$((${#machines[@]} - 1)) --ntasks=$((${#machines[@]} - 1)) --exclude="$head" \
    ray start --address "$address" --num-cpus="$SLURM_CPUS_PER_TASK" --block &
fi

RAY_ADDRESS=$address python "$SLURM_SUBMIT_DIR/study.py"

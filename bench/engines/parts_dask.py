"""Dask distributed: a task for each part, done again elsewhere when its worker is gone."""
import subprocess
import sys

from distributed import Client

scheduler, program, folder, output = sys.argv[1:5]
parts = sys.stdin.read().split()


def work(part):
    subprocess.run([program, folder, output, part], check=True)
    return part


client = Client(scheduler)
done = client.gather(client.map(work, parts, pure=False, retries=3))
assert sorted(done) == sorted(parts)
client.close()

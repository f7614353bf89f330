"""A cluster of dask on this machine."""

from contextlib import contextmanager


@contextmanager
def two_workers():
    """Two worker processes of a thread each, and the client that work goes to; both as a pair."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield cluster, client

"""What puts pitclerk on a machine: migrations, roles, the embedded PostgreSQL server, images and dashboards."""

"""What fields declare, and what follows from equal names and types, to steps."""

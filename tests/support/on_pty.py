"""Runs a command on a pseudo-terminal of its own.

Arguments: columns, rows, the command. Reads JSON lines {"write": latin-1 text}, {"resize": [columns,
rows]}, {"signal": number}; writes JSON lines with "ms" since the fork: {"pid"} at the beginning,
{"data": latin-1 text} for what the command wrote, {"exit": code, negative for a signal} at the end.
"""
import fcntl, json, os, pty, select, struct, sys, termios, time

def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

columns, rows, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
began = time.monotonic()
pid, master = pty.fork()
if pid == 0:
    resize(0, columns, rows)
    os.execvp(command[0], command)

def tell(**event):
    event["ms"] = round((time.monotonic() - began) * 1000, 3)
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()

tell(pid=pid)
pending, commands = b"", b""
reading = True
while True:
    ready, writable, _ = select.select([master] + ([0] if reading else []), [master] if pending else [], [])
    if master in writable:
        pending = pending[os.write(master, pending[:4096]):]
    if master in ready:
        try:
            data = os.read(master, 65536)
        except OSError:
            data = b""
        if not data:
            break
        tell(data=data.decode("latin-1"))
    if 0 in ready:
        more = os.read(0, 65536)
        reading = bool(more)
        *lines, commands = (commands + more).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if "write" in order:
                pending += order["write"].encode("latin-1")
            elif "resize" in order:
                resize(master, *order["resize"])
            else:
                os.kill(pid, order["signal"])
tell(exit=os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

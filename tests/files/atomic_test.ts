import assert from "node:assert/strict";
import { join } from "node:path";
import { writeAtomic } from "../../src/files/atomic.ts";
import { FileError, reasonOf } from "../../src/base/errors.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow, SOAK } from "../support/soak.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const list = async (root: string) =>
  (await Array.fromAsync(Deno.readDir(root))).map((entry) => entry.name).sort();

Deno.test("a write replaces the content, keeps the mode and leaves nothing behind", async () => {
  await withWorkspace({ "run.sh": "old" }, async (root) => {
    const path = join(root, "run.sh");
    await Deno.chmod(path, 0o750);
    await writeAtomic(path, bytes("new"));
    assert.equal(await Deno.readTextFile(path), "new");
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o750);
    assert.deepEqual(await list(root), ["run.sh"]);
  });
});

Deno.test("a hard link keeps its partner", async () => {
  await withWorkspace({ "a": "a longer old text" }, async (root) => {
    await Deno.link(join(root, "a"), join(root, "b"));
    await writeAtomic(join(root, "a"), bytes("short"));
    assert.equal(await Deno.readTextFile(join(root, "b")), "short");
  });
});

Deno.test("a read-only file is refused, also for the administrator", async () => {
  await withWorkspace({ "a": "old" }, async (root) => {
    await Deno.chmod(join(root, "a"), 0o444);
    await assert.rejects(
      writeAtomic(join(root, "a"), bytes("new")),
      (error) => reasonOf(error) === "denied",
    );
    assert.equal(await Deno.readTextFile(join(root, "a")), "old");
  });
});

Deno.test("a check that throws leaves the old content and no temporary file", async () => {
  await withWorkspace({ "a": "old" }, async (root) => {
    const stop = () => {
      throw new FileError("changed", "stop");
    };
    await assert.rejects(writeAtomic(join(root, "a"), bytes("new"), stop), FileError);
    assert.equal(await Deno.readTextFile(join(root, "a")), "old");
    assert.deepEqual(await list(root), ["a"]);
  });
});

Deno.test("a missing folder and a device are refused", async () => {
  await withWorkspace({}, async (root) => {
    const inMissing = writeAtomic(join(root, "gone", "a"), bytes("x"));
    await assert.rejects(inMissing, (error) => reasonOf(error) === "missing");
    const onDevice = writeAtomic("/dev/null", bytes("x"));
    await assert.rejects(onDevice, (error) => reasonOf(error) === "not_regular");
  });
});

Deno.test("two writers at once: each sees a whole file, one of them the other's", async () => {
  await withWorkspace({ "a": "0" }, async (root) => {
    const path = join(root, "a");
    const bump = async () => {
      for (;;) {
        const before = await Deno.readTextFile(path);
        try {
          return await writeAtomic(path, bytes(String(Number(before) + 1)), async () => {
            if (await Deno.readTextFile(path) !== before) throw new FileError("changed", "late");
          });
        } catch (error) {
          if (reasonOf(error) !== "changed") throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, bump));
    assert.equal(await Deno.readTextFile(path), "12");
  });
});

const KILLS = SOAK > 1 ? 300 : runs(4);

Deno.test("killed at any moment, the file is whole", async () => {
  let amid = 0;
  await withWorkspace({ "a": "x".repeat(300_000) }, async (root) => {
    const path = join(root, "a");
    const module = new URL("../../src/files/atomic.ts", import.meta.url).href;
    const code = `import { writeAtomic } from "${module}";
      for (let i = 0;; i++) {
        const text = String.fromCharCode(97 + i % 26).repeat(300_000);
        await writeAtomic(${JSON.stringify(path)}, new TextEncoder().encode(text));
        if (i === 0) console.log("go");
      }`;
    for (let run = 0; run < KILLS; run++) {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["eval", code],
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 7 * (run % 4) + run / KILLS));
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      const text = await Deno.readTextFile(path);
      assert.equal(text, text[0]!.repeat(300_000));
      const left = [...Deno.readDirSync(root)].filter(({ name }) => name.endsWith(".tmp"));
      if (left.length > 0) amid++;
      for (const { name } of left) Deno.removeSync(join(root, name));
    }
    console.log(`${KILLS} kills, ${amid} amid a write, 0 files half written`);
  });
});

Deno.test("a write removes what killed writers left, and nothing else", async () => {
  await withWorkspace({ "a": "old" }, async (root) => {
    const lay = async (name: string, ageMs: number) => {
      await Deno.writeTextFile(join(root, name), "half");
      const when = new Date(Date.now() - ageMs);
      await Deno.utime(join(root, name), when, when);
    };
    const kept = [".b.12-0123abcd.tmp.bak", ".fresh.2-0123abcd.tmp", ".held.3-0123abcd.tmp"];
    await lay(".a.1-0123abcd.tmp", 60_000);
    await lay(".other.name.99999-ffffffff.tmp", 60_000);
    await lay(kept[0]!, 60_000);
    await lay(kept[1]!, 0);
    await lay(kept[2]!, 60_000);
    await lay("notes.tmp", 60_000);
    using held = await Deno.open(join(root, kept[2]!), { write: true });
    held.tryLockSync(true);
    await writeAtomic(join(root, "a"), bytes("new"));
    assert.deepEqual(await list(root), [...kept, "a", "notes.tmp"].sort());
    assert.equal(await Deno.readTextFile(join(root, "a")), "new");
  });
});

Deno.test("a writer that lives holds the lock of its temporary file", async () => {
  await withWorkspace({ "a": "old" }, async (root) => {
    let locked: boolean | undefined;
    await writeAtomic(join(root, "a"), bytes("new"), async () => {
      const [name] = (await list(root)).filter((one) => one.endsWith(".tmp"));
      using file = await Deno.open(join(root, name!), { write: true });
      locked = !file.tryLockSync(true);
    });
    assert.equal(locked, true);
  });
});

Deno.test("a file that comes up meanwhile is not replaced", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "a");
    await assert.rejects(
      writeAtomic(path, bytes("mine"), () => Deno.writeTextFile(path, "theirs")),
      (error) => reasonOf(error) === "changed",
    );
    assert.equal(await Deno.readTextFile(path), "theirs");
    assert.deepEqual(await list(root), ["a"]);
  });
});

Deno.test("many writers of one new file: one makes it, the others are told", async () => {
  await withWorkspace({}, async (root) => {
    const path = join(root, "a");
    const writers = Array.from({ length: 8 }, (_, i) => {
      // each saw that there was none
      return writeAtomic(path, bytes(`${i}`), () => {}).then(() => "made", reasonOf);
    });
    const results = await Promise.all(writers);
    assert.ok(results.includes("made"));
    assert.match(await Deno.readTextFile(path), /^\d$/);
    assert.deepEqual(await list(root), ["a"]);
  });
});

Deno.test("a writer that waited for the lock of a replaced file takes that of the new one", async () => {
  await withWorkspace({ "a": "1" }, async (root) => {
    const path = join(root, "a");
    let inside = 0;
    const slow = async () => {
      assert.equal(++inside, 1, "two writers within the lock");
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside--;
    };
    await Promise.all(["2", "3", "4"].map((text) => writeAtomic(path, bytes(text), slow)));
    assert.match(await Deno.readTextFile(path), /^[234]$/);
  });
});

Deno.test("content in pieces is written as one, and asked for again in place", async () => {
  await withWorkspace({ "a": "old", "b": "old" }, async (root) => {
    await Deno.link(join(root, "b"), join(root, "c"));
    for (const name of ["a", "b", "new"]) {
      await writeAtomic(join(root, name), async function* () {
        for (const part of ["one ", "", "two"]) yield await Promise.resolve(bytes(part));
      });
      assert.equal(await Deno.readTextFile(join(root, name)), "one two");
    }
    assert.equal(await Deno.readTextFile(join(root, "c")), "one two");
  });
});

Deno.test({
  name: "a disk that fills up leaves the old content and no temporary file",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  fn: () =>
    withWorkspace({}, async (root) => {
      const run = (...args: string[]) =>
        new Deno.Command(args[0]!, { args: args.slice(1) }).output();
      const mounted = await run("mount", "-t", "tmpfs", "-o", "size=64k", "narnat", root);
      // a container may not be allowed to mount
      if (!mounted.success) return;
      try {
        const path = join(root, "a");
        await Deno.writeTextFile(path, "old");
        await Deno.link(path, join(root, "twin"));
        await Deno.writeTextFile(join(root, "single"), "old");
        for (const name of ["a", "single", "new"]) {
          const write = writeAtomic(join(root, name), bytes("x".repeat(200_000)));
          await assert.rejects(write, (error) => reasonOf(error) === "full");
        }
        assert.deepEqual(await list(root), ["a", "single", "twin"]);
        for (const name of ["a", "single", "twin"]) {
          assert.equal(await Deno.readTextFile(join(root, name)), "old");
        }
      } finally {
        // a program that another test starts may hold it for a moment
        await run("umount", "-l", root);
      }
    }),
});

/** Runs Python there: it reads and writes attributes wherever it is. */
async function python(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command("python3", { args: ["-c", script, ...args] }).output();
  return new TextDecoder().decode(stdout);
}

/** u::rw-, u:1234:rw-, g::r--, m::rw-, o::r-- */
const GIVE = `
import os, struct, sys
os.setxattr(sys.argv[1], "user.note", b"kept\\0\\xff")
acl = [(1, 6, 0xffffffff), (2, 6, 1234), (4, 4, 0xffffffff), (16, 6, 0xffffffff), (32, 4, 0xffffffff)]
os.setxattr(sys.argv[1], "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in acl))`;
const TELL = `
import os, sys
p = sys.argv[1]
print(sorted((n, os.getxattr(p, n)) for n in os.listxattr(p)), oct(os.stat(p).st_mode))`;

slow({
  name: "a write keeps extended attributes and access lists",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace({ "a": "old" }, async (root) => {
      const path = join(root, "a");
      await python(GIVE, path);
      const before = await python(TELL, path);
      assert.match(before, /user\.note.*100664/);
      await writeAtomic(path, bytes("new"));
      assert.equal(await Deno.readTextFile(path), "new");
      assert.equal(await python(TELL, path), before);
    }),
});

Deno.test({
  name: "what keeps attributes is the system's, whatever program of its name the PATH leads to",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace({ "a": "old" }, async (root) => {
      await Deno.writeTextFile(join(root, "cp"), `#!/bin/sh\n: >${root}/ran\n`, { mode: 0o755 });
      const module = JSON.stringify(import.meta.resolve("../../src/files/atomic.ts"));
      const code = `import { writeAtomic } from ${module};
        await writeAtomic(${JSON.stringify(join(root, "a"))}, new Uint8Array([110, 101, 119]));`;
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", "--no-check", code],
        env: { PATH: `${root}:${Deno.env.get("PATH")}` },
      }).output();
      assert.ok(success);
      assert.equal(await Deno.readTextFile(join(root, "a")), "new");
      assert.deepEqual(await list(root), ["a", "cp"]);
    }),
});

slow({
  name: "attributes that come between two writes are kept",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace({ "a": "old" }, async (root) => {
      const path = join(root, "a");
      await writeAtomic(path, bytes("one"));
      await python(GIVE, path);
      const before = await python(TELL, path);
      for (let n = 0; n < 3; n++) await writeAtomic(path, bytes(`${n}`));
      assert.equal(await python(TELL, path), before);
    }),
});

slow({
  name: "a folder's default access list opens no file that is written to anybody else",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withWorkspace({ "d/a": "old" }, async (root) => {
      const path = join(root, "d/a");
      await Deno.chmod(path, 0o660);
      await python(GIVE.replace("access", "default"), join(root, "d"));
      const before = await python(TELL, path);
      assert.match(before, /^\[\].*100660/);
      for (let n = 0; n < 3; n++) await writeAtomic(path, bytes(`${n}`));
      assert.equal(await python(TELL, path), before);
    }),
});

Deno.test("a folder that has been exchanged for a link gets nothing", async () => {
  await withWorkspace({ "outside/f": "theirs", "in/g": "" }, async (root) => {
    await Deno.symlink(join(root, "outside"), join(root, "in/d"));
    for (const name of ["f", "new"]) {
      const write = writeAtomic(join(root, "in/d", name), bytes("ours"));
      assert.equal(await write.then(() => "written", reasonOf), "changed");
    }
    assert.deepEqual(await list(join(root, "outside")), ["f"]);
    assert.equal(await Deno.readTextFile(join(root, "outside/f")), "theirs");
  });
});

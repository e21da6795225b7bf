import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server of our own, in a temporary folder, for as long as tests or benchmarks need it. */
export interface TemporaryPostgres {
  url: string
  stop(): void
}

/** Starts one on a free port of loopback. The server refuses to run as root, so root lends it the `postgres` user. */
export function startPostgres(port = 20_000 + (process.pid % 20_000)): TemporaryPostgres {
  const versions = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a))
  const bin = join('/usr/lib/postgresql', versions[0] ?? '', 'bin')
  const folder = mkdtempSync(join(tmpdir(), 'ondine-postgres-'))
  const asRoot = process.getuid?.() === 0
  if (asRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const run = (program: string, ...args: string[]) => {
    const [command, ...rest] = [
      ...(asRoot ? ['runuser', '-u', 'postgres', '--'] : []),
      join(bin, program),
      ...args,
    ]
    execFileSync(command ?? program, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const data = join(folder, 'data')
  run(
    'initdb',
    '-D',
    data,
    '-U',
    'ondine',
    '--auth=trust',
    '--no-sync',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
  )
  run(
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`,
    'start',
  )
  return {
    url: `postgresql://ondine@127.0.0.1:${port}/postgres`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
}

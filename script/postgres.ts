import { execFileSync, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary PostgreSQL server, in a temporary folder, for tests or benchmarks. */
export interface TemporaryPostgres {
  url: string
  stop(): void
}

/** Ports below the system's ephemeral range, so that outgoing connections cannot occupy one. */
const PORTS = { from: 20_000, to: 32_000 }
/** Maximum number of ports to try. */
const TRIES = 5
/** Timeout of the server's start in seconds, long enough for a busy machine. */
const PATIENCE = '300'

/**
 * Starts a server on a free loopback port. PostgreSQL refuses to run as root, so root starts it as the user
 * `postgres`.
 */
export function startPostgres(): TemporaryPostgres {
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
  const begin = (port: number) =>
    run(
      'pg_ctl',
      '-D',
      data,
      '-w',
      '-t',
      PATIENCE,
      '-l',
      join(folder, 'log'),
      '-o',
      `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`,
      'start',
    )
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const port = onFreePort(begin, join(folder, 'log'), remove)
  return {
    url: `postgresql://ondine@127.0.0.1:${port}/postgres`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-t', PATIENCE, 'stop')
      remove()
    },
  }
}

/** Tries free ports until the server starts. Removes the server's files if it cannot start. @returns the port */
function onFreePort(begin: (port: number) => void, log: string, remove: () => void): number {
  for (let tries = 1; ; tries++) {
    const port = randomInt(PORTS.from, PORTS.to)
    try {
      begin(port)
      return port
    } catch (error) {
      const said = existsSync(log) ? readFileSync(log, 'utf8') : ''
      if (tries < TRIES && said.includes('Address already in use')) continue
      console.error(said)
      remove()
      throw error
    }
  }
}

function idOf(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
}

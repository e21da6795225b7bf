import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { chmod, mkdir, rm, rmdir, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SettingsError } from '../env.ts'

/** Longest socket path that every system supports, in bytes. */
const LONGEST_SOCKET_PATH = 100
/** Age from which a takeover lock counts as abandoned, in milliseconds. A takeover takes much less time. */
const TAKEOVER_MS = 10_000
const RETRY_MS = 100

/** Thrown when another process works on the same data. */
export class DataInUseError extends Error {
  override name = 'DataInUseError'
}

/**
 * Returns the path of a socket of an installation, by default of the control socket. The process that listens on the
 * control socket owns the data, and is the only process that may open the embedded database. Other processes connect
 * to it to run commands in the service.
 *
 * If the path in `dataDir` is too long for a socket, returns a path in the system's temporary folder instead.
 *
 * @throws DataInUseError if the folder in the temporary folder belongs to another user, or is open to other users
 */
export function socketPath(dataDir: string, name = 'ondine'): string {
  const path = join(dataDir, 'control', `${name}.sock`)
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return path
  const hash = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 24)
  const folder = join(tmpdir(), `ondine-${hash}`)
  requirePrivate(folder, dataDir)
  return join(folder, `${name}.sock`)
}

/**
 * Creates the folder of the sockets, and verifies that no other user owns or can enter it. The folder is in the
 * temporary folder, where another user could create it first and intercept the passwords of commands and the
 * passphrases of inputs.
 */
function requirePrivate(folder: string, dataDir: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = lstatSync(folder)
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid
  // The folder may also belong to the owner of `dataDir`: an administrator can run commands in a service that another
  // user runs.
  const isOurs = uid === process.getuid?.() || uid === owner
  if (!isOurs || (mode & 0o077) !== 0)
    throw new DataInUseError(`${folder} may belong to another user. Remove it, or set a shorter DATA_DIR.`)
}

/** @throws SettingsError if a file, not a folder, has the path `dataDir` */
export function requireDataFolder(dataDir: string): void {
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new SettingsError(`DATA_DIR=${dataDir} is not a folder. Set the path of a folder.`)
}

/**
 * Version of the keeper's calls and of ffmpeg's file descriptors. A keeper of an earlier version may still run, so each version has its own socket.
 */
const KEEPER_VERSION = 3

/**
 * Returns the path of the socket of the process that keeps the programs of live inputs on this machine. If several
 * machines share `dataDir`, each machine has a different socket.
 */
export function keeperSocketPath(dataDir: string): string {
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
  return socketPath(dataDir, `keeper-${KEEPER_VERSION}-${machine}`)
}

/**
 * Makes this process the owner of `dataDir`, before it opens anything there. The process remains the owner until the
 * server of the control socket closes or the process ends in any way.
 *
 * @param serve as for {@link takeSocket}
 * @returns the result of `serve`
 * @throws DataInUseError when another process is the owner.
 */
export async function ownData<Served>(dataDir: string, serve: (server: Server) => Served): Promise<Served> {
  const taken = await takeSocket(socketPath(dataDir), serve)
  if (taken) return taken.served
  throw new DataInUseError(
    `Another Ondine process is using ${dataDir}. Stop it first, or set another DATA_DIR.`,
  )
}

/**
 * Listens on a socket.
 *
 * @param serve begins to answer the requests to the server. It runs before the server listens, because a request that
 * arrives earlier would never be answered.
 * @returns the result of `serve`; undefined if another process already listens on the socket
 */
export async function takeSocket<Served>(
  path: string,
  serve: (server: Server) => Served,
): Promise<{ served: Served } | undefined> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const server = createServer()
  // Two processes that find a dead process's socket at the same time must not remove each other's new socket.
  return await exclusively(`${path}.takeover`, async () => {
    if (await answers(path)) return undefined
    await rm(path, { force: true })
    const served = serve(server)
    await listen(server, path)
    await chmod(path, 0o600)
    return { served }
  })
}

async function exclusively<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await takeLock(lock))) await pause(RETRY_MS)
  try {
    return await work()
  } finally {
    await removeLock(lock)
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const found = await stat(lock).catch(() => undefined)
    // A lock of this age belongs to a process that was killed during its takeover.
    if (found && Date.now() - found.mtimeMs > TAKEOVER_MS) await removeLock(lock)
    return false
  }
}

/** Removes the lock, which is an empty folder. Another process may have removed it first. */
async function removeLock(lock: string): Promise<void> {
  await rmdir(lock).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

async function answers(path: string): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false)
      else reject(error)
    })
  })
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

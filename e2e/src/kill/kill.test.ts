import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TrackSet } from '@ondine/media/track-set'
import { CommandError, type CommandInput } from '@ondine/server/control/commands'
import { runRemotely } from '@ondine/server/control/socket'
import { copyable, ffmpeg, picture, stereo, tone } from '@ondine/server/ingest/test-media'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Installation, ONDINE } from '../installation.ts'

/**
 * Number of kills. The default is small, because the test runs on every change. `ONDINE_KILLS` sets a larger number for
 * long runs.
 */
const KILLS = Number(process.env.ONDINE_KILLS ?? 3)
/**
 * Time limit of the test, in milliseconds. A kill takes about six seconds on two busy cores. A slow machine may
 * take seven times as long.
 */
const LIMIT_MS = 600_000 + KILLS * 45_000
const FILMS = ['Aube', 'Midi', 'Soir']
const PASSWORD = 'Ondine-2026!'

describe('a service that is killed at any moment', () => {
  let installation: Installation
  let films: string

  beforeAll(async () => {
    films = await mkdtemp(join(tmpdir(), 'ondine-kill-films-'))
    for (const name of FILMS) {
      await ffmpeg([
        ...picture({ seconds: 8 }),
        ...tone(8),
        ...copyable,
        ...stereo,
        join(films, `${name} (2026).mp4`),
      ])
    }
    installation = await Installation.create({ DEMO: 'false', SIGN_IN_ATTEMPTS: '100000' })
    await command('accounts', 'create', 'camille@ondine.test', '--password', PASSWORD)
    await command('import', films)
  })
  afterAll(async () => {
    await installation.remove()
    await rm(films, { recursive: true, force: true })
  })

  async function command(...args: string[]): Promise<void> {
    const child = spawn(ONDINE, args, {
      env: { ...process.env, DATA_DIR: installation.dataDir, LOG_LEVEL: 'silent' },
      stdio: 'ignore',
    })
    const [code] = (await once(child, 'exit')) as [number]
    expect(code, args.join(' ')).toBe(0)
  }

  /**
   * Sends the service a command as the program `ondine` does, but from this process. Starting a process takes a
   * second, and most commands would come after the kill. @returns whether the command was done; false when the
   * service was killed
   */
  async function ask(name: string, input: CommandInput): Promise<boolean> {
    const control = { signal: new AbortController().signal, report: () => undefined }
    try {
      return await runRemotely(installation.dataDir, name, input, control)
    } catch (error) {
      if (error instanceof CommandError || (error instanceof Error && 'code' in error)) return false
      throw error
    }
  }

  it(`keeps every answered write and serves no broken segment, over ${KILLS} kills during imports and writes`, {
    timeout: LIMIT_MS,
  }, async () => {
    /**
     * Positions in hundredths of a second: the last position sent, and the last position that the service
     * confirmed. Every kill must leave the stored position at the confirmed position or later.
     */
    let position = 0
    let answered = 0
    const accounts: string[] = []
    let tried = 0
    let player: Player | undefined
    for (let kill = 0; kill < KILLS; kill++) {
      await installation.start()
      player = await Player.start(installation.origin, player)
      expect(Math.round((await player.position()) * 100), `after kill ${kill}`).toBeGreaterThanOrEqual(
        answered,
      )
      if (kill % 10 === 0) {
        await checkMedia(installation)
        // Signing in is slow on purpose. So each check signs in only to accounts created since the previous check.
        // The last check signs in to all accounts.
        for (const email of accounts.slice(tried)) await signIn(installation.origin, email)
        tried = accounts.length
      }

      // A film with a changed modification time is imported again, while positions and accounts are written.
      const changed = join(films, `${FILMS[kill % FILMS.length]} (2026).mp4`)
      await utimes(changed, new Date(), new Date(1_700_000_000_000 + kill * 1000))
      const importing = ask('import', { arguments: [films], options: { language: 'fra' } })
      const email = `viewer-${kill}@ondine.test`
      const creating = ask('accounts create', { arguments: [email], options: { password: PASSWORD } })
      const killAt = performance.now() + ((kill * 97) % 1500)
      while (performance.now() < killAt) {
        position = (position + 1) % 700
        if (position < answered) answered = 0
        if (await player.report(position / 100)) answered = position
        await delay(5)
      }
      // On a slow machine, most kills would come before an account is created, so some rounds wait for the
      // account.
      if (kill % 10 === 2) await creating
      await installation.kill('SIGKILL')
      await importing
      if (await creating) accounts.push(email)
    }

    await installation.start()
    await command('import', films)
    await checkMedia(installation)
    player = await Player.start(installation.origin, player)
    for (const asset of player.assets) expect(asset.availability.state).toBe('ready')
    expect(player.assets).toHaveLength(FILMS.length)
    for (const email of accounts) await signIn(installation.origin, email)
    expect(accounts.length).toBeGreaterThan(0)
  })
})

/** Signs in. @returns the token of the account */
async function signIn(origin: string, username: string): Promise<string> {
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ username, password: PASSWORD, grant_type: 'password' }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (!access_token) throw new Error(`${username} cannot sign in any more.`)
  return access_token
}

interface PlayerAsset {
  idAsset: number
  seekTime: number
  availability: { state: string }
}

/** A viewer who watches by the API. */
class Player {
  readonly #origin: string
  readonly #headers: Record<string, string>
  #session = ''
  assets: PlayerAsset[] = []

  private constructor(origin: string, headers: Record<string, string>) {
    this.#origin = origin
    this.#headers = headers
  }

  static async signIn(origin: string, username: string): Promise<Player> {
    const player = new Player(origin, { 'x-auth-token': await signIn(origin, username) })
    const [profile] = await player.#call<{ id: number }[]>('GET', '/crm/profile')
    const active = await player.#call<{ profileToken: string }>('POST', '/crm/profile/active', {
      idProfile: String(profile?.id),
    })
    player.#headers['x-profile-token'] = active.profileToken
    return player
  }

  /**
   * Starts a player.
   * @param before the player before the kill. The new player reuses the sign-in of `before`, because each sign-in
   * uses up one of the account's sessions
   */
  static async start(origin: string, before?: Player): Promise<Player> {
    const player = before
      ? new Player(origin, before.#headers)
      : await Player.signIn(origin, 'camille@ondine.test')
    const rails = await player.#call<{ items: { type: string; payload: PlayerAsset }[] }[]>(
      'POST',
      '/proxy/homeContent',
    )
    const all = rails.flatMap(({ items }) => items).filter(({ type }) => type === 'asset')
    player.assets = [...new Map(all.map(({ payload }) => [payload.idAsset, payload])).values()]
    const [first] = player.assets.toSorted((a, b) => a.idAsset - b.idAsset)
    const { session } = await player.#call<{ session: string }>('POST', '/proxy/readAsset', {
      idAsset: String(first?.idAsset),
      idAudioLang: 'fra',
      idSubtitleLang: 'non',
    })
    player.#session = session
    return player
  }

  async position(): Promise<number> {
    const [first] = this.assets.toSorted((a, b) => a.idAsset - b.idAsset)
    const [asset] = await this.#call<PlayerAsset[]>('POST', '/proxy/assets', {
      assetIds: `[${first?.idAsset}]`,
    })
    return asset?.seekTime ?? 0
  }

  /** Reports a position. @returns whether the service confirmed it */
  async report(position: number): Promise<boolean> {
    try {
      await this.#call('POST', '/proxy/heartbeat', {
        session: this.#session,
        position: position.toFixed(3),
        event: 'progress',
      })
      return true
    } catch (error) {
      // The service was killed. The position may be lost, because the service has not confirmed it.
      if (error instanceof TypeError) return false
      throw error
    }
  }

  async #call<Result>(method: string, path: string, fields: Record<string, string> = {}): Promise<Result> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: this.#headers,
      ...(method === 'GET' ? {} : { body: new URLSearchParams(fields) }),
    })
    const answer = (await response.json()) as { status: boolean; result: Result; error: unknown }
    if (!answer.status) throw new Error(`${path}: ${JSON.stringify(answer.error)}`)
    return answer.result
  }
}

/**
 * Fetches every segment of every published track set. Checks each segment against the index of the track set, and
 * against the segment's own structure. An import can delete a track set meanwhile, but only as a whole.
 */
async function checkMedia({ dataDir, origin }: Installation): Promise<void> {
  const media = join(dataDir, 'media')
  let checked = 0
  for (const id of (await readdir(media)).filter((name) => !name.startsWith('.'))) {
    try {
      await checkTrackSet(join(media, id), `${origin}/media/${id}`)
      checked += 1
    } catch (error) {
      if ((await readdir(media)).includes(id)) throw error
    }
  }
  expect(checked).toBeGreaterThanOrEqual(FILMS.length)
}

async function checkTrackSet(folder: string, address: string): Promise<void> {
  const { renditions } = JSON.parse(await readFile(join(folder, 'track-set.json'), 'utf8')) as TrackSet
  for (const { id: rendition, kind, segments } of renditions) {
    const count = segments.reduce((sum, [, times]) => sum + times, 0)
    for (let number = 1; number <= count; number++) {
      const segment = `${address}/${rendition}/${number}.${kind === 'text' ? 'vtt' : 'm4s'}`
      const response = await fetch(segment)
      expect(response.status, segment).toBe(200)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (kind !== 'text') expect(boxesOf(bytes), segment).toContain('mdat')
    }
  }
}

/** Returns the top-level boxes of a segment (ISO/IEC 14496-12). @throws when they do not fill the segment exactly */
function boxesOf(bytes: Buffer): string[] {
  const boxes: string[] = []
  let at = 0
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at)
    if (size < 8 || at + size > bytes.length)
      throw new Error(`A box at ${at} has ${size} of ${bytes.length} bytes.`)
    boxes.push(bytes.toString('latin1', at + 4, at + 8))
    at += size
  }
  return boxes
}

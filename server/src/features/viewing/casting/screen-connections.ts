import { randomBytes } from 'node:crypto'
import type { WebSocket } from '@fastify/websocket'
import type { CastMessage } from '@ondine/contract/casting'
import type { Context } from '../../../context.ts'
import type { SignInProof } from '../../../http/principal.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import { Sessions } from '../../people/sign-in/sessions.service.ts'
import {
  closeScreen,
  commandsAfter,
  type NumberedCommand,
  noteOpen,
  type Onlooker,
  openScreen,
  presentScreen,
  type ScreenRow,
  SEEN_MS,
  screensOf,
} from './screens.ts'

/** Close codes of WebSockets, from the range for applications (RFC 6455, 7.4.2). */
const SUPERSEDED = 4000
const REVOKED = 4001

/** Maximum number of connections of an account to this process. A new connection replaces the oldest one. */
const MOST_CONNECTIONS = 50

/**
 * Interval at which the sign-ins of connections are checked, in milliseconds. A connection must end within 5 s of the
 * end of its sign-in (spec 47).
 */
const REVOKE_MS = 4000

/** Maximum number of accounts whose screens are read at once. */
const SLICE = 500

const ALIVE = JSON.stringify({ type: 'alive' } satisfies CastMessage)

/** A device that connects. */
export interface Arrival extends Onlooker {
  as: 'phone' | 'screen'
  signIn: SignInProof
  /** The last command that the screen has carried out; undefined for a newly opened page. */
  after: number | undefined
}

interface Client extends Arrival {
  socket: WebSocket
  /** Random name, as in `screens.connection`. */
  connection: string
  /** Number of the last command that was sent to the screen. */
  number: number
  /** The last message that was sent to the phone. */
  sent: string
  /** Whether the device has answered the last ping. */
  isAlive: boolean
}

type Parts = Pick<
  Context,
  | 'db'
  | 'keys'
  | 'clock'
  | 'log'
  | 'connection'
  | 'endedSignIns'
  | 'settings'
  | 'configurations'
  | 'onSignInEnded'
>

/**
 * The open connections of this process. When the database reports a change by any process, phones receive the screens
 * of their account, and screens receive their commands.
 */
export class ScreenConnections {
  readonly #parts: Parts
  readonly #sessions: Sessions
  readonly #clients = new Set<Client>()
  readonly #changed = new Set<number>()
  readonly #timers: readonly NodeJS.Timeout[]
  #isDelivering = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#sessions = new Sessions(parts)
    parts.connection.changes.on('screens', (ids) => this.#deliver(ids))
    this.#timers = [
      setInterval(() => void this.#check(), SEEN_MS).unref(),
      setInterval(() => this.#endRevoked(), REVOKE_MS).unref(),
    ]
  }

  /** Serves a connection until it closes. */
  async accept(socket: WebSocket, arrival: Arrival): Promise<void> {
    const { db, clock, log } = this.#parts
    const connection = randomBytes(9).toString('base64url')
    const client: Client = { ...arrival, socket, connection, number: 0, sent: '', isAlive: true }
    socket.on('pong', () => {
      client.isAlive = true
    })
    socket.on('close', () => {
      this.#clients.delete(client)
      if (client.as === 'screen' && client.deviceId !== null) {
        closeScreen(db, { deviceId: client.deviceId, connection }).catch((error: unknown) =>
          log.warn({ err: error }, 'a closed screen could not be recorded'),
        )
      }
    })
    const { as, deviceId, signIn, after } = arrival
    if (as === 'screen' && deviceId !== null) {
      const { accountId } = signIn
      client.number = await openScreen(db, { deviceId, accountId, connection, after }, clock.now())
    }
    // The socket may have closed meanwhile, before the screen was recorded as open.
    if (socket.readyState !== socket.OPEN) {
      if (as === 'screen' && deviceId !== null) await closeScreen(db, { deviceId, connection })
      return
    }
    // A connection that the service closes stays in the list until its device has confirmed the close.
    const ofAccount = [...this.#clients].filter(
      (each) => each.signIn.accountId === signIn.accountId && each.socket.readyState === socket.OPEN,
    )
    if (ofAccount.length >= MOST_CONNECTIONS) ofAccount[0]?.socket.close(SUPERSEDED, 'Too many connections')
    this.#clients.add(client)
    if (as === 'screen' && deviceId !== null)
      this.#tell(client, { type: 'opened', number: client.number, casDeviceId: deviceId })
    this.#deliver([signIn.accountId])
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** Ends the connections whose sign-in has ended (spec 47). */
  #endRevoked(): void {
    for (const { socket, signIn, deviceId } of this.#clients) {
      if (this.#parts.endedSignIns.has({ ...signIn, ...(deviceId !== null && { deviceId }) }))
        socket.close(REVOKED, 'The sign-in has ended')
    }
  }

  /** Ends lost connections. Sends `alive` on all others, and records that they are open. */
  async #check(): Promise<void> {
    const { db, clock, log } = this.#parts
    for (const client of this.#clients) {
      if (client.isAlive) {
        client.socket.ping()
        client.socket.send(ALIVE)
      } else client.socket.terminate()
      client.isAlive = false
    }
    const open = [...this.#clients].flatMap(({ as, deviceId, connection }) =>
      as === 'screen' && deviceId !== null ? { deviceId, connection } : [],
    )
    try {
      await noteOpen(db, open, clock.now())
    } catch (error) {
      log.warn({ err: error }, 'open screens could not be recorded')
    }
    // Delivers to all accounts, because a process that has ended sends no notice about its lost screens.
    this.#deliver(null)
  }

  /** Sends changes to the clients of some accounts; null for all. Changes that arrive meanwhile are sent afterwards. */
  #deliver(accountIds: readonly number[] | null): void {
    const changed = accountIds === null ? undefined : new Set(accountIds)
    for (const { signIn } of this.#clients) {
      if (changed?.has(signIn.accountId) !== false) this.#changed.add(signIn.accountId)
    }
    if (!this.#isDelivering) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isDelivering = true
    while (this.#changed.size > 0) {
      const accountIds = [...this.#changed].slice(0, SLICE)
      for (const id of accountIds) this.#changed.delete(id)
      try {
        await this.#send(accountIds)
      } catch (error) {
        // The next check tries again.
        this.#parts.log.warn({ err: error }, 'screens could not be read')
      }
    }
    this.#isDelivering = false
  }

  async #send(accountIds: readonly number[]): Promise<void> {
    const { db, clock, log } = this.#parts
    const concerned = new Set(accountIds)
    // Selects the clients before it reads the rows: a screen that connects meanwhile may be missing from the rows.
    const clients = [...this.#clients].filter(({ signIn }) => concerned.has(signIn.accountId))
    const screens = Map.groupBy(await screensOf(db, accountIds), (row) => row.accountId)
    const now = clock.now()
    for (const client of clients) {
      try {
        await this.#update(client, screens.get(client.signIn.accountId) ?? [], now)
      } catch (error) {
        // Continues, so that the other devices get their messages. The next check tries this device again.
        log.warn({ err: error }, 'a device could not be told of its screens')
      }
    }
  }

  /** Sends a phone the screens of its account, and a screen its commands. */
  async #update(client: Client, screens: readonly ScreenRow[], now: number): Promise<void> {
    if (client.as === 'phone') {
      const onlooker = this.#onlookerOf(client)
      this.#tell(client, {
        type: 'screens',
        screens: screens.map((row) => presentScreen(row, onlooker, now)),
      })
      return
    }
    const row = screens.find(({ deviceId }) => deviceId === client.deviceId)
    if (row === undefined) client.socket.close(REVOKED, 'The device was removed')
    else if (row.connection !== client.connection)
      client.socket.close(SUPERSEDED, 'The device has connected again')
    else if (row.lastCommand > client.number) await this.#sendCommands(client, row.deviceId, now)
  }

  /**
   * Returns the profile that uses a device now. The viewer may have changed the profile since the device
   * connected.
   */
  #onlookerOf({ signIn, profileId, kid, isLimited, deviceId }: Client): Onlooker {
    const child = this.#parts.endedSignIns.childIn(signIn)
    if (child === undefined) return { profileId, kid, isLimited, deviceId }
    return { profileId: child ?? profileId, kid: child !== null, isLimited, deviceId }
  }

  async #sendCommands(client: Client, deviceId: number, now: number): Promise<void> {
    for (const each of await commandsAfter(this.#parts.db, deviceId, client.number, now)) {
      this.#tell(client, await this.#messageOf(each, client))
      client.number = each.number
    }
  }

  /**
   * Returns the message for a command. The profile token is created when the message is sent, and is never stored.
   */
  async #messageOf({ number, command, profileId }: NumberedCommand, client: Client): Promise<CastMessage> {
    if (command.type !== 'load') return { type: 'command', number, command }
    const { media, parentalProof } = command
    const { accountId } = client.signIn
    const profileToken = this.#sessions.lend(await requireProfile(this.#parts.db, accountId, profileId))
    // A child in front of the screen must not get a proof of the parental code.
    const isProofLent = parentalProof !== undefined && !this.#onlookerOf(client).kid
    return { type: 'load', number, media, profileToken, ...(isProofLent && { parentalProof }) }
  }

  #tell(client: Client, message: CastMessage): void {
    const text = JSON.stringify(message)
    if (text === client.sent) return
    client.socket.send(text)
    client.sent = text
  }
}

import {
  type CastContent,
  castTo,
  connectScreens,
  controlScreen,
  listScreens,
  reportScreen,
} from '@ondine/contract/casting'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import { rateLimit } from '../../../http/rate-limit.ts'
import { lendProof } from '../../people/parental/parental.service.ts'
import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'
import type { SessionReader } from '../../streams/play-sessions/play-sessions.service.ts'
import { admitToChannel, admitToTitle, offersFor, playerOf } from '../playback/playback.service.ts'
import { endPlaying, endPlayingOn } from '../playback/playing.service.ts'
import { admitToRecording, type RecordingParts } from '../recordings/recordings.service.ts'
import { type Arrival, ScreenConnections } from './screen-connections.ts'
import { type Onlooker, presentScreen, screensOf, sendCommand, storeState } from './screens.ts'

/** Path of the WebSocket. */
const SOCKET_PATH = '/proxy/screens'

/**
 * Maximum number of WebSockets per minute of one account at one client address. Each page of a device opens a
 * WebSocket.
 */
const CONNECTIONS_PER_MINUTE = 120

/** Maximum number of commands per minute from one client address to one screen. */
const COMMANDS_PER_MINUTE = 200

/** How long the address of a WebSocket can be used, in seconds. */
const TICKET_SECONDS = 30

/**
 * Registers casting to the screens of an account (docs/decisions/0090). Devices send calls; the service sends messages
 * through a WebSocket.
 */
export function registerCasting(
  app: FastifyInstance,
  on: On,
  context: Context,
  { sessions, recordings }: CastingParts,
): void {
  const { db, keys, configurations } = context
  const connections = new ScreenConnections(context)
  app.addHook('onClose', async () => connections.close())
  const connect = rateLimit(app, {
    max: CONNECTIONS_PER_MINUTE,
    about: (request) => String(arrivalOf(request).signIn.accountId),
  })
  const attempt = rateLimit(app, { max: COMMANDS_PER_MINUTE, about: screenName })

  app.get(
    SOCKET_PATH,
    {
      websocket: true,
      exposeHeadRoute: false,
      // Runs before the upgrade, so that a refused device gets an ordinary HTTP response.
      preValidation: connect,
    },
    async (socket, request) => await connections.accept(socket, arrivalOf(request)),
  )

  on(connectScreens, async ({ as, after }, call) => {
    requireEnabled(call)
    const { account, now } = call
    const onlooker = await onlookerOf(call)
    if (as === 'screen' && onlooker.deviceId === null) throw new ServiceError('noDeviceLinked')
    const claims: Ticket = {
      as,
      ...onlooker,
      accountId: account.id,
      signIn: account.signIn,
      since: account.since,
      ...(after !== undefined && { after }),
    }
    const seconds = Math.min(TICKET_SECONDS, account.until - now / 1000)
    const ticket = keys.sign('screens', { ...claims }, seconds)
    return { address: `${SOCKET_PATH}?ticket=${ticket}` }
  })

  on(listScreens, async (_input, call) => {
    requireEnabled(call)
    const onlooker = await onlookerOf(call)
    const rows = await screensOf(call.db, [call.account.id])
    return rows.map((row) => presentScreen(row, onlooker, call.now))
  })

  on(castTo, async ({ casDeviceId, media, session, parentalProof }, call) => {
    requireEnabled(call)
    const viewer = await playerOf(context, call, parentalProof)
    await admit(viewer, media.content, call)
    // The proof of the phone would expire before the next episode.
    const lent = await lendProof(context, call.profile, parentalProof)
    const command = { type: 'load' as const, media, ...(lent !== undefined && { parentalProof: lent }) }
    // Ends the session of the phone first, so that the screen fits into the account's limit of concurrent streams.
    const ended = session === undefined ? undefined : sessions.read(session, call.now)
    if (ended?.viewer?.accountId === call.account.id) await endPlaying(db, ended.id)
    await sendCommand(db, await targetOf(casDeviceId, call), command, call.now)
    return null
  })

  on(controlScreen, async ({ casDeviceId, command }, call) => {
    await attempt(call.request)
    // A viewer can still stop a cast after the operator has switched casting off.
    if (command.type !== 'stop') requireEnabled(call)
    const target = await targetOf(casDeviceId, call)
    await sendCommand(db, target, command, call.now)
    // Ends the session of the screen. The phone continues playback at once, and must fit into the account's limit
    // of concurrent streams.
    if (command.type === 'stop') await endPlayingOn(db, target.accountId, casDeviceId)
    return null
  })

  on(reportScreen, async ({ number, state }, { account, device }) => {
    if (device === null) throw new ServiceError('noDeviceLinked')
    await storeState(db, { deviceId: device.id, accountId: account.id }, { number, state: state ?? null })
    return null
  })

  function requireEnabled({ storefront }: Call): void {
    if (!configurations.of(storefront.id).player.isCastEnabled) throw new ServiceError('forbidden')
  }

  async function onlookerOf(call: Call<'profile'>): Promise<Onlooker> {
    const { kid, hasParentalControl, maximumMoralityLevel } = await context.viewers.of(call, call.now)
    const isLimited = hasParentalControl && maximumMoralityLevel > 0
    return { profileId: call.profile.id, kid, isLimited, deviceId: call.device?.id ?? null }
  }

  async function targetOf(deviceId: number, call: Call<'profile'>) {
    return { deviceId, accountId: call.account.id, onlooker: await onlookerOf(call) }
  }

  /**
   * Checks now whether the screen may play the content, so that the phone gets the error. The call of the screen checks
   * again. @throws ServiceError as `castTo` lists them
   */
  async function admit(viewer: Viewer, { kind, id }: CastContent, call: Call<'profile'>): Promise<void> {
    const { account, profile, now } = call
    if (kind === 'asset') await admitToTitle(db, viewer, id, now, offersFor(context, call))
    else if (kind === 'channel') await admitToChannel(db, viewer, id, now, offersFor(context, call))
    else await admitToRecording(recordings, viewer, { accountId: account.id, profileId: profile.id }, id, now)
  }

  /** Returns the device of a ticket. @throws ServiceError tokenInvalid */
  function arrivalOf({ query }: Pick<FastifyRequest, 'query'>): Arrival {
    // Fastify parses every query to an object. A repeated field becomes an array.
    const { ticket } = query as { ticket?: unknown }
    // The signature proves that `connectScreens` wrote these claims.
    const claims = (typeof ticket === 'string' && keys.verify('screens', ticket)) as
      | Ticket
      | undefined
      | false
    if (!claims) throw new ServiceError('tokenInvalid')
    const { as, profileId, kid, isLimited, deviceId, accountId, signIn, since, after } = claims
    const proof = { accountId, signIn, since }
    if (context.endedSignIns.has({ ...proof, ...(deviceId !== null && { deviceId }) }))
      throw new ServiceError('tokenInvalid')
    return { as, profileId, kid, isLimited, deviceId, signIn: proof, after }
  }
}

/** Returns the screen of a command, as the key of the rate limit. */
function screenName(request: FastifyRequest): string {
  // The contract has validated this body.
  const { casDeviceId } = request.body as { casDeviceId: string }
  return casDeviceId
}

interface CastingParts {
  sessions: SessionReader
  recordings: RecordingParts
}

/** Claims of a ticket. */
interface Ticket extends Onlooker {
  as: Arrival['as']
  accountId: number
  signIn: string
  since: number
  after?: number
}

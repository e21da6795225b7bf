import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../../http/errors.ts'
import type { IsEnded } from '../../../http/principal.ts'
import type { TokenKeys } from '../../settings/keys/keys.service.ts'

/** Part of a channel's Timeline that a session plays. Times are milliseconds since the Unix epoch. */
export type ChannelWindow =
  | {
      kind: 'live'
      /** How far back the channel may be watched, in seconds; omitted if not at all. */
      reachSeconds?: number | undefined
      /** Earliest start of the window. A programme before this time may not be shown to the viewer. */
      since?: number | undefined
      /** Time at which players start, in milliseconds since the Unix epoch; omitted for the live edge. */
      startsAt?: number | undefined
    }
  /** Window that begins with a programme. It grows with the clock until `to`, the end of the programme. */
  | ({ kind: 'start-over' } & FixedWindow)
  /** Complete past interval. */
  | ({ kind: 'closed' } & FixedWindow)

interface FixedWindow {
  from: number
  to: number
  /** Intervals that are left out: the programmes between the parts of a split programme. */
  holes?: readonly Hole[] | undefined
}

/** Start and end, in milliseconds since the Unix epoch. */
export type Hole = readonly [from: number, to: number]

/** Live window. */
export type LiveWindow = Extract<ChannelWindow, { kind: 'live' }>

/** Window of a recording or an event. While the recording or the event runs, the window grows. */
export type BoundedWindow = Exclude<ChannelWindow, LiveWindow>

/** Manifest kinds, by the `format` that a client asks for. */
export type ManifestFormat = 'dash' | 'hls'

/** A break in the film of a session. */
interface SessionBreak {
  /** Index of the segment that follows the break. */
  before: number
  trackSetIds: readonly string[]
}

/** Content of a session. */
export type PlaybackContent = Played & {
  /** Maximum height of the video, in lines; omitted without a limit. */
  maximumHeight?: number | undefined
}

type Played =
  | {
      kind: 'asset'
      assetId: number
      trackSetId: string
      durationSeconds: number
      /**
       * End of the viewer's rental, in milliseconds since the Unix epoch. A viewer who is watching at that time
       * may finish the film (spec 49).
       */
      rentedUntil?: number | undefined
      /** Breaks with advertisements. */
      breaks?: readonly SessionBreak[] | undefined
    }
  | { kind: 'trailer'; trackSetId: string }
  | {
      kind: 'channel'
      channelId: number
      window: ChannelWindow
      /** Whether advertisements may replace the breaks of the channel. */
      hasAds?: boolean | undefined
    }
  /** A live event that a channel carries. */
  | {
      kind: 'event'
      assetId: number
      channelId: number
      window: BoundedWindow
      /** As for a film. */
      rentedUntil?: number | undefined
    }
  | {
      kind: 'recording'
      recordingId: number
      channelId: number
      window: BoundedWindow
      /** Id of the recording's separate copy; omitted if the session plays the media of the channel. */
      copyId?: number
    }

/** Viewer of a session. */
export interface SessionViewer {
  accountId: number
  profileId: number
  /** Id of the registered device that plays; omitted for a client without one. */
  deviceId?: number
  /** Id of the viewer's sign-in, and the time when the sign-in began, in seconds since the Unix epoch. */
  signIn?: string
  since?: number
  /** Whether the parental code was given for the session. */
  hasGivenCode?: boolean
}

/** Playback session. It is stored only in its signed token, so that manifests need no database. */
export interface PlaybackSession {
  /** Random id, which identifies the session in logs and metrics. */
  id: string
  /** Null for a trailer, which anyone may watch. */
  viewer: SessionViewer | null
  content: PlaybackContent
}

/**
 * Validity of a session's addresses, in seconds. Every licence request is nevertheless checked against the
 * database.
 */
export const SESSION_SECONDS = 12 * 3600

/** Claims of a token. The names are short, because every manifest address contains the token. */
interface Claims {
  /** Session id. */
  s: string
  /** Account and profile. */
  v?: [number, number]
  /** Device. */
  d?: number
  /** Sign-in, and when it began. */
  n?: string
  b?: number
  /** The parental code was given. */
  p?: 1
  /** Asset, track set, duration in seconds, end of the rental. */
  a?: [number, string, number, rentedUntil?: number]
  /** Breaks of the asset: segment, track sets. */
  k?: [before: number, ...trackSetIds: string[]][]
  /** Trailer: track set. */
  t?: string
  /** Channel, first letter of the window's kind, and the fields of the window. A `since` of 0 means no `since`. */
  c?: [number, 'l', reach?: number, since?: number, startsAt?: number] | [number, 's' | 'c', number, number]
  /** Recording. Its window is in `c`. */
  r?: number
  /** Event that the channel carries, end of the rental. Its window is in `c`. */
  e?: [assetId: number, rentedUntil?: number]
  /** Holes of the window in `c`. */
  h?: readonly Hole[]
  /** Id of the copy that the recording plays. */
  y?: number
  /** Largest height of the video. */
  m?: number
  /** Whether advertisements may replace the breaks of the channel. */
  g?: 1
}

/** Creates an id for a new session. */
export function newSessionId(): string {
  return randomBytes(9).toString('base64url')
}

/** Starts a session and signs its token. */
export function createSession(
  keys: TokenKeys,
  session: Omit<PlaybackSession, 'id'>,
  id: string = newSessionId(),
): string {
  const { viewer, content } = session
  const claims: Claims = {
    s: id,
    ...(viewer && { v: [viewer.accountId, viewer.profileId] as [number, number] }),
    ...(viewer?.deviceId !== undefined && { d: viewer.deviceId }),
    ...(viewer?.signIn !== undefined && { n: viewer.signIn }),
    ...(viewer?.since !== undefined && { b: viewer.since }),
    ...(viewer?.hasGivenCode === true && { p: 1 as const }),
    ...contentClaims(content),
    ...(content.maximumHeight !== undefined && { m: content.maximumHeight }),
  }
  return keys.sign('playback', { ...claims }, SESSION_SECONDS)
}

function contentClaims(content: PlaybackContent): Partial<Claims> {
  if (content.kind === 'asset') {
    const { assetId, trackSetId, durationSeconds, rentedUntil, breaks } = content
    const plain = [assetId, trackSetId, durationSeconds] as const
    return {
      a: rentedUntil === undefined ? [...plain] : [...plain, rentedUntil],
      ...(breaks && {
        k: breaks.map(({ before, trackSetIds }): [number, ...string[]] => [before, ...trackSetIds]),
      }),
    }
  }
  if (content.kind === 'trailer') return { t: content.trackSetId }
  const { channelId, window } = content
  if (content.kind === 'event') {
    const { assetId, rentedUntil } = content
    const e: Claims['e'] = rentedUntil === undefined ? [assetId] : [assetId, rentedUntil]
    return { ...windowClaim(channelId, content.window), e }
  }
  if (content.kind === 'recording')
    return {
      ...windowClaim(channelId, content.window),
      r: content.recordingId,
      ...(content.copyId !== undefined && { y: content.copyId }),
    }
  return window.kind === 'live'
    ? { c: liveClaim(channelId, window), ...(content.hasAds === true && { g: 1 as const }) }
    : windowClaim(channelId, window)
}

function liveClaim(
  channelId: number,
  { reachSeconds = 0, since, startsAt }: LiveWindow,
): NonNullable<Claims['c']> {
  if (startsAt !== undefined) return [channelId, 'l', reachSeconds, since ?? 0, startsAt]
  return since === undefined ? [channelId, 'l', reachSeconds] : [channelId, 'l', reachSeconds, since]
}

function windowClaim(channelId: number, { kind, from, to, holes }: BoundedWindow): Pick<Claims, 'c' | 'h'> {
  return { c: [channelId, kind === 'closed' ? 'c' : 's', from, to], ...(holes && { h: holes }) }
}

/** Reads session tokens. */
export interface SessionReader {
  /**
   * Returns the session of a token; undefined if the token is forged, expired, or of another kind, or if its sign-in
   * has ended.
   */
  read(token: string, now: number): PlaybackSession | undefined
  /**
   * Returns the session of a token that may play now.
   *
   * @throws ServiceError tokenInvalid if {@link read} returns no session; accountSuspended
   */
  require(token: string, now: number): PlaybackSession
}

/** The playback that has ended although its tokens are still valid. */
export interface EndedPlayback {
  /** Returns whether the sign-in of a session has ended. */
  has: IsEnded
  isSuspended(accountId: number): boolean
}

const MS = 1000

/**
 * Maximum number of cached sessions. A player requests a manifest every few seconds with the same token, so
 * sessions are worth caching.
 */
const LARGEST_MEMORY = 20_000

/**
 * Creates a reader that verifies the signature of each token once. Later reads only check the expiry of the token
 * and the end of its sign-in.
 */
export function createSessionReader(keys: TokenKeys, ended: EndedPlayback): SessionReader {
  const known = new LRUCache<string, { session: PlaybackSession; endsAt: number }>({ max: LARGEST_MEMORY })
  let { losses } = keys

  function hasEnded({ viewer }: PlaybackSession, endsAt: number): boolean {
    if (viewer === null) return false
    const { accountId, deviceId, signIn = '', since = endsAt / MS - SESSION_SECONDS } = viewer
    return ended.has({ accountId, deviceId, signIn, since })
  }

  const reader: SessionReader = {
    read: (token, now) => {
      if (losses !== keys.losses) known.clear()
      losses = keys.losses
      let entry = known.get(token)
      if (!entry) {
        // The signature proves that `createSession` wrote these claims.
        const claims = keys.verify('playback', token) as (Claims & { exp: number }) | undefined
        const content = claims && readContent(claims)
        if (!claims || !content) return undefined
        const viewer = claims.v
          ? {
              accountId: claims.v[0],
              profileId: claims.v[1],
              ...(claims.d !== undefined && { deviceId: claims.d }),
              ...(claims.n !== undefined && { signIn: claims.n }),
              ...(claims.b !== undefined && { since: claims.b }),
              ...(claims.p === 1 && { hasGivenCode: true }),
            }
          : null
        entry = { session: { id: claims.s, viewer, content }, endsAt: claims.exp * 1000 }
        known.set(token, entry)
      }
      const { session, endsAt } = entry
      return endsAt > now && !hasEnded(session, endsAt) ? session : undefined
    },
    require: (token, now) => {
      const session = reader.read(token, now)
      if (!session) throw new ServiceError('tokenInvalid')
      if (session.viewer && ended.isSuspended(session.viewer.accountId))
        throw new ServiceError('accountSuspended')
      return session
    },
  }
  return reader
}

function readContent({ m, ...claims }: Claims): PlaybackContent | undefined {
  const played = readPlayed(claims)
  return played && { ...played, ...(m !== undefined && { maximumHeight: m }) }
}

function readPlayed({ a, k, t, c, e, r, h, y, g }: Claims): Played | undefined {
  if (a) {
    const [assetId, trackSetId, durationSeconds, rentedUntil] = a
    const breaks = k?.map(([before, ...trackSetIds]) => ({ before, trackSetIds }))
    return { kind: 'asset', assetId, trackSetId, durationSeconds, rentedUntil, ...(breaks && { breaks }) }
  }
  if (t !== undefined) return { kind: 'trailer', trackSetId: t }
  if (!c) return undefined
  const window = readWindow(c, h)
  if (r === undefined && e === undefined)
    return { kind: 'channel', channelId: c[0], window, ...(g !== undefined && { hasAds: true }) }
  if (window.kind === 'live') return undefined
  if (e !== undefined) return { kind: 'event', assetId: e[0], channelId: c[0], window, rentedUntil: e[1] }
  if (r === undefined) return undefined
  return { kind: 'recording', recordingId: r, channelId: c[0], window, ...(y !== undefined && { copyId: y }) }
}

function readWindow(claim: NonNullable<Claims['c']>, holes: Claims['h']): ChannelWindow {
  if (claim[1] === 'l') {
    const [, , reachSeconds, since = 0, startsAt] = claim
    return { kind: 'live', reachSeconds, since: since === 0 ? undefined : since, startsAt }
  }
  return {
    kind: claim[1] === 's' ? 'start-over' : 'closed',
    from: claim[2],
    to: claim[3],
    ...(holes && { holes }),
  }
}

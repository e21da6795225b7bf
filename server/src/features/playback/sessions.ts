import { randomBytes } from 'node:crypto'
import type { IsEnded } from '../../http/principal.ts'
import type { TokenKeys } from '../keys/keys.service.ts'

/** Which part of a channel's Timeline plays (design: one channel, many windows). Milliseconds since the Unix epoch. */
export type ChannelWindow =
  | {
      kind: 'live'
      /** How far back it may be watched, in seconds; left out for not at all. */
      reachSeconds?: number | undefined
      /** It begins no earlier: before this was what its viewer may not see. */
      since?: number | undefined
      /** Where players begin; left out for the live edge. */
      startsAt?: number | undefined
    }
  /** From a programme's start on; it grows with the clock until `to`, where the programme ends. */
  | { kind: 'start-over'; from: number; to: number }
  /** A past interval, whole. */
  | { kind: 'closed'; from: number; to: number }

/** What is live. */
export type LiveWindow = Extract<ChannelWindow, { kind: 'live' }>

/** Manifest kinds, by the `format` that a client asks for. */
export type ManifestFormat = 'dash' | 'hls'

/** What a session plays. */
export type PlaybackContent =
  | {
      kind: 'asset'
      assetId: number
      trackSetId: string
      durationSeconds: number
      /** When the rental ends that it plays by, in milliseconds since the Unix epoch: who watches then may finish (spec decision 49). */
      rentedUntil?: number | undefined
    }
  | { kind: 'trailer'; trackSetId: string }
  | { kind: 'channel'; channelId: number; window: ChannelWindow }

/** Who watches a session. */
export interface SessionViewer {
  accountId: number
  profileId: number
  /** The registered device that plays it, if it is one. */
  deviceId?: number
  /** The sign-in that it plays for, and when that began, in seconds since the epoch. */
  signIn?: string
  since?: number
  /** The parental code was given for it. */
  hasGivenCode?: boolean
}

/** A playback session. It lives in its signed token alone, so that manifests need no database. */
export interface PlaybackSession {
  /** Random; names the session in logs and figures. */
  id: string
  /** Null for a trailer, which anyone may watch. */
  viewer: SessionViewer | null
  content: PlaybackContent
}

/** How long a session's addresses hold. The licence asks the database again all the same. */
export const SESSION_SECONDS = 12 * 3600

/** The claims of a token, short, because every manifest address carries them. */
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
  /** Trailer: track set. */
  t?: string
  /** Channel and window: kind, from, to. A `since` of 0 is none. */
  c?: [number, 'l', reach?: number, since?: number, startsAt?: number] | [number, 's' | 'c', number, number]
}

/** A name for a session that begins. */
export function newSessionId(): string {
  return randomBytes(9).toString('base64url')
}

/** Begins a session and signs its token. */
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
  }
  return keys.sign('playback', { ...claims }, SESSION_SECONDS)
}

function contentClaims(content: PlaybackContent): Partial<Claims> {
  if (content.kind === 'asset') {
    const { assetId, trackSetId, durationSeconds, rentedUntil } = content
    const plain = [assetId, trackSetId, durationSeconds] as const
    return { a: rentedUntil === undefined ? [...plain] : [...plain, rentedUntil] }
  }
  if (content.kind === 'trailer') return { t: content.trackSetId }
  const { channelId, window } = content
  if (window.kind === 'live') {
    const { reachSeconds = 0, since, startsAt } = window
    if (startsAt !== undefined) return { c: [channelId, 'l', reachSeconds, since ?? 0, startsAt] }
    return { c: since === undefined ? [channelId, 'l', reachSeconds] : [channelId, 'l', reachSeconds, since] }
  }
  return { c: [channelId, window.kind === 'closed' ? 'c' : 's', window.from, window.to] }
}

/** Reads tokens back. */
export interface SessionReader {
  /** The session behind a token; undefined when the token is forged, past its end, or of another kind, or its sign-in has ended. */
  read(token: string, now: number): PlaybackSession | undefined
}

const MS = 1000

/** Sessions that are remembered: a player asks for a manifest every few seconds, with the same token. */
const LARGEST_MEMORY = 20_000

/** Reads tokens, each only once: what was signed stays signed, and only its end and its sign-in's have to be looked at again. */
export function createSessionReader(keys: TokenKeys, isEnded: IsEnded): SessionReader {
  const known = new Map<string, { session: PlaybackSession; endsAt: number }>()
  let { losses } = keys

  function hasEnded({ viewer }: PlaybackSession, endsAt: number): boolean {
    if (viewer === null) return false
    const { accountId, deviceId, signIn = '', since = endsAt / MS - SESSION_SECONDS } = viewer
    return isEnded({ accountId, deviceId, signIn, since })
  }

  return {
    read: (token, now) => {
      if (losses !== keys.losses) known.clear()
      losses = keys.losses
      let entry = known.get(token)
      if (!entry) {
        // The signature says that `createSession` wrote these claims.
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
        if (known.size >= LARGEST_MEMORY) known.clear()
        known.set(token, entry)
      }
      const { session, endsAt } = entry
      return endsAt > now && !hasEnded(session, endsAt) ? session : undefined
    },
  }
}

function readContent({ a, t, c }: Claims): PlaybackContent | undefined {
  if (a) return { kind: 'asset', assetId: a[0], trackSetId: a[1], durationSeconds: a[2], rentedUntil: a[3] }
  if (t !== undefined) return { kind: 'trailer', trackSetId: t }
  if (!c) return undefined
  return { kind: 'channel', channelId: c[0], window: readWindow(c) }
}

function readWindow(claim: NonNullable<Claims['c']>): ChannelWindow {
  if (claim[1] === 'l') {
    const [, , reachSeconds, since = 0, startsAt] = claim
    return { kind: 'live', reachSeconds, since: since === 0 ? undefined : since, startsAt }
  }
  return { kind: claim[1] === 's' ? 'start-over' : 'closed', from: claim[2], to: claim[3] }
}

import { setImmediate } from 'node:timers/promises'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import type { PlayerTarget } from '../content/playable.ts'
import { playerError } from '../engine/player-error.ts'
import { browserParts, type PlayerSurroundings } from './player-parts.ts'
import type { PlayerEvent } from './reporter.ts'

const { asked, clock, preferred, rules, sent } = vi.hoisted(() => ({
  clock: { now: 0 },
  rules: { hardwareAboveHeight: 0 },
  sent: vi.fn<
    (
      operation: { name: string },
      input: { idChannel?: number; parentalProof?: string | undefined },
    ) => Promise<unknown>
  >(),
  asked: vi.fn<() => Promise<string | null>>(),
  preferred: vi.fn<(queries: unknown, wanted: unknown) => Promise<void>>(),
}))
vi.mock('../../api/call.ts', () => ({ call: sent }))
vi.mock('../../api/environment.ts', () => ({ environment: () => ({}) }))
vi.mock('../../api/query.ts', () => ({ query: () => ({ queryKey: [] }) }))
vi.mock('../../features/ground/clock/browser-clock.ts', () => ({ serviceNow: () => clock.now }))
vi.mock('../../features/ground/configuration/configuration-query.ts', () => ({
  configurationOf: () => ({
    ...DEFAULT_CONFIGURATION,
    protection: { ...DEFAULT_CONFIGURATION.protection, ...rules },
  }),
}))
vi.mock('../../features/people/devices/register-device.ts', () => ({ registerDevice: async () => {} }))
vi.mock('../../features/people/parental/ask-code.ts', () => ({ askParentalCode: asked }))
vi.mock('../../features/people/profiles/preferences.ts', () => ({
  prefer: preferred,
  preferencesOf: () => ({}),
}))
const browser = vi.hoisted(() => ({ hasFairPlay: false }))
vi.mock('../../features/ground/platform/decryption-module.ts', () => ({
  hasHardwareSecurity: async () => true,
  hasFairPlay: async () => browser.hasFairPlay,
}))
vi.mock('../engine/shaka.ts', () => ({ loadShaka: async () => {} }))

const stored = new Map<string, string>()

beforeEach(() => {
  preferred.mockResolvedValue()
  sent.mockResolvedValue(null)
  vi.stubGlobal('location', { href: 'https://ondine.test/player?channel=1' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetAllMocks()
  stored.clear()
  rules.hardwareAboveHeight = 0
  browser.hasFairPlay = false
  clock.now = 0
})

/** The channels of the line-up. Opening a channel fails with -10 if it is not here. */
const CHANNELS = [2, 3].map((idChannel) => ({ idChannel, item: {}, ottConfiguration: {} }))
const CODE_NEEDED = new ApiError({ code: -1612, status: 403, message: '' })

/** Lets channels play only with the proof of the parental code that `valid` contains. */
function lock(valid = { proof: 'proof' }) {
  sent.mockImplementation(async (operation, input) => {
    if (operation.name !== 'channelStream') return null
    if (!('parentalProof' in input) || input.parentalProof !== valid.proof) throw CODE_NEEDED
    return { url: '/play/2/manifest.mpd', drm: null, startsAt: null, session: 'abc' }
  })
}

/**
 * Creates the dependencies of a player for profile 5 of an account. With `call`, the player is the player of a
 * screen.
 */
function parts(call?: PlayerSurroundings['call'], surroundings: Partial<PlayerSurroundings> = {}) {
  const session = { account: { id: 7 }, profile: { id: 5 } }
  const { open, ...others } = browserParts({
    // The fake has only the members of the query client that the player uses.
    queryClient: {
      getQueryData: () => session,
      ensureQueryData: async () => session,
      fetchQuery: async () => CHANNELS,
    } as never,
    engine: { prepare: () => {} } as never,
    signIn: () => {},
    go: () => {},
    from: () => undefined,
    refused: () => {},
    expired: () => {},
    trailerTitle: '',
    call,
    ...surroundings,
  })
  return {
    ...others,
    open: (target: PlayerTarget, signal = new AbortController().signal) => open(target, () => {}, signal),
  }
}

test('spec 21 a choice of languages is kept on the device and with the profile', () => {
  parts().keepLanguages({ audio: 'fra' })
  expect([...stored.values()]).toContain('fra/')
  expect(preferred.mock.calls.map(([, wanted]) => wanted)).toEqual([{ audioLanguage: 'fra' }])
})

test('spec 21 a choice among audio tracks of one language is kept on the device, for this language', async () => {
  sent.mockResolvedValue({ url: '/play/2/manifest.mpd', drm: null, startsAt: null, session: 'abc' })
  const { open, keepLanguages } = parts()
  const track = { audioLabel: 'VFQ', audioAddition: 'description' } as const
  const opened = async (player = open) => await player({ kind: 'channel', id: 2 })
  keepLanguages({ audio: 'fra', ...track })
  keepLanguages({ sub: 'fra' })
  expect(await opened()).toMatchObject({ opened: { selectedMedia: track } })
  // On a later visit, the player is another one.
  expect(await opened(parts().open)).toMatchObject({ opened: { selectedMedia: track } })
  keepLanguages({ audio: 'eng', audioLabel: undefined, audioAddition: undefined })
  const inEnglish = await opened()
  expect(inEnglish).toMatchObject({ opened: { selectedMedia: { audio: 'eng' } } })
  expect(inEnglish).not.toHaveProperty('opened.selectedMedia.audioLabel')
  expect(inEnglish).not.toHaveProperty('opened.selectedMedia.audioAddition')
  expect(JSON.stringify(preferred.mock.calls)).not.toContain('VFQ')
})

test('spec 21 the choice of subtitles for the deaf is kept on the device and with the profile', async () => {
  parts().keepLanguages({ sub: 'fra', captions: true })
  expect(preferred.mock.calls.map(([, wanted]) => wanted)).toEqual([
    { subtitleLanguage: 'fra', subtitleCaptions: true },
  ])
  sent.mockResolvedValue({ url: '/play/2/manifest.mpd', drm: null, startsAt: null, session: 'abc' })
  expect(await parts().open({ kind: 'channel', id: 2 })).toMatchObject({
    opened: { selectedMedia: { sub: 'fra', captions: true } },
  })
})

test('V4-57 languages that a phone chooses on a screen are not kept with the profile of the screen', () => {
  parts(async () => null as never).keepLanguages({ audio: 'fra', sub: 'eng' })
  expect(stored.size).toBe(0)
  expect(preferred).not.toHaveBeenCalled()
})

test('V4-55 a screen plays everything in the languages of the cast, until a phone chooses others', async () => {
  const stream = { url: '/play/2/manifest.mpd', drm: null, startsAt: null, session: 'abc' }
  const { open, keepLanguages } = parts(async () => stream as never, {
    languages: { audio: 'eng', sub: 'fra' },
  })
  const opened = async () => await open({ kind: 'channel', id: 2 })
  expect(await opened()).toMatchObject({ opened: { selectedMedia: { audio: 'eng', sub: 'fra' } } })
  keepLanguages({ sub: 'non' })
  expect(await opened()).toMatchObject({ opened: { selectedMedia: { audio: 'eng', sub: 'non' } } })
})

test('A6-06 a screen does not ask for the parental code, because nobody can enter it there', async () => {
  const { open } = parts(async () => {
    throw CODE_NEEDED
  })
  await expect(open({ kind: 'channel', id: 1 })).rejects.toBe(CODE_NEEDED)
  expect(asked).not.toHaveBeenCalled()
})

test('A6-06 the parental code is not asked for content that the viewer has left', async () => {
  asked.mockClear()
  const leaving = new AbortController()
  sent.mockImplementation(async ({ name }) => {
    if (name !== 'channelStream') return null
    leaving.abort()
    throw CODE_NEEDED
  })
  await expect(parts().open({ kind: 'channel', id: 2 }, leaving.signal)).rejects.toBe(CODE_NEEDED)
  expect(asked).not.toHaveBeenCalled()
})

test('A6-06 the parental code is not asked for a channel that the viewer has not chosen', async () => {
  lock()
  parts().anticipate(2)
  await vi.waitFor(() => expect(sent).toHaveBeenCalled())
  await setImmediate()
  expect(asked).not.toHaveBeenCalled()
})

test.each([
  ['after', true],
  ['before', false],
])(
  'A6-06 a switch to a channel asks for its code, %s the refusal of its anticipation',
  async (_, isRefused) => {
    lock()
    asked.mockResolvedValue('proof')
    const { anticipate, open } = parts()
    anticipate(2)
    if (isRefused) await setImmediate()
    expect(asked).not.toHaveBeenCalled()
    await expect(open({ kind: 'channel', id: 2 })).resolves.toMatchObject({ kind: 'opened' })
    expect(asked).toHaveBeenCalledTimes(1)
  },
)

test('A6-06 once the viewer has entered the code, it also holds for the anticipation of channels', async () => {
  lock()
  asked.mockResolvedValue('proof')
  const { anticipate, open } = parts()
  await open({ kind: 'channel', id: 2 })
  anticipate(3)
  await setImmediate()
  expect(sent).toHaveBeenLastCalledWith(
    expect.objectContaining({ name: 'channelStream' }),
    expect.objectContaining({ idChannel: 3, isAhead: true, parentalProof: 'proof' }),
  )
  expect(asked).toHaveBeenCalledTimes(1)
})

test.each([
  ['the viewer has entered the code', async (open: (id: number) => Promise<unknown>) => void (await open(2))],
  ['ten minutes', async () => void (clock.now = 10 * 60_000)],
])('A6-06 after %s, a channel is anticipated anew, and its switch uses the new stream', async (_, change) => {
  const streams: unknown[] = []
  sent.mockImplementation(async ({ name }, { idChannel, parentalProof }) => {
    if (name !== 'channelStream') return null
    if (idChannel === 2 && parentalProof !== 'proof') throw CODE_NEEDED
    if (idChannel === 3) streams.push(parentalProof)
    return { url: '/play/3/manifest.mpd', drm: null, startsAt: null, session: `session ${streams.length}` }
  })
  asked.mockResolvedValue('proof')
  const { anticipate, open } = parts()
  anticipate(3)
  anticipate(3)
  await setImmediate()
  expect(streams).toHaveLength(1)
  await change(async (id) => await open({ kind: 'channel', id }))
  anticipate(3)
  await setImmediate()
  expect(streams).toHaveLength(2)
  expect(await open({ kind: 'channel', id: 3 })).toMatchObject({ opened: { session: 'session 2' } })
  expect(streams).toHaveLength(2)
})

test.each([
  ['entered at the switch', false],
  ['entered earlier, for another channel', true],
])(
  'A6-06 a programme that needs the code begins after the anticipation: the code is %s',
  async (_, isKnown) => {
    let isLocked = false
    sent.mockImplementation(async ({ name }, { idChannel, parentalProof }) => {
      if ((isLocked || idChannel === 3) && parentalProof !== 'proof') throw CODE_NEEDED
      const session = parentalProof === undefined ? 'without code' : 'with code'
      return name === 'channelStream'
        ? { url: '/play/2/manifest.mpd', drm: null, startsAt: null, session }
        : null
    })
    asked.mockResolvedValue('proof')
    const { anticipate, open } = parts()
    anticipate(2)
    await setImmediate()
    if (isKnown) await open({ kind: 'channel', id: 3 }).catch(() => {})
    isLocked = true
    expect(await open({ kind: 'channel', id: 2 })).toMatchObject({ opened: { session: 'with code' } })
    expect(asked).toHaveBeenCalledTimes(1)
  },
)

test('A6-06 after the proof has expired, the viewer is asked once more, and the content plays', async () => {
  const valid = { proof: 'first' }
  lock(valid)
  asked.mockResolvedValueOnce('first').mockResolvedValueOnce('second')
  const { open } = parts()
  const opening = () => open({ kind: 'channel', id: 2 })
  await opening()
  valid.proof = 'second'
  await expect(opening()).resolves.toMatchObject({ kind: 'opened' })
  expect(asked).toHaveBeenCalledTimes(2)
})

test('A6-06 calls in parallel share one question after the proof has expired', async () => {
  const valid = { proof: 'first' }
  lock(valid)
  asked.mockResolvedValueOnce('first').mockResolvedValueOnce('second')
  const { open } = parts()
  const opening = () => open({ kind: 'channel', id: 2 })
  await opening()
  valid.proof = 'second'
  const opened = { kind: 'opened' }
  await expect(Promise.all([opening(), opening()])).resolves.toMatchObject([opened, opened])
  expect(asked).toHaveBeenCalledTimes(2)
})

test('A6-06 the viewer can enter the code after leaving the popup without it', async () => {
  lock()
  asked.mockResolvedValueOnce(null).mockResolvedValue('proof')
  const { open } = parts()
  const opening = open({ kind: 'channel', id: 2 })
  await expect(opening).rejects.toSatisfy((error) => playerError(error).kind === 'code')
  await expect(open({ kind: 'channel', id: 2 })).resolves.toMatchObject({ kind: 'opened' })
})

test('A6-06 the viewer can try again if the question for the code has failed', async () => {
  lock()
  asked
    .mockRejectedValueOnce(new ApiError({ code: 503, status: 503, message: '' }))
    .mockResolvedValue('proof')
  const { open } = parts()
  await expect(open({ kind: 'channel', id: 2 })).rejects.toMatchObject({ code: 503 })
  await expect(open({ kind: 'channel', id: 2 })).resolves.toMatchObject({ kind: 'opened' })
})

/** Lets the service refuse the heartbeats of one type, because their session has expired. */
function refuseHeartbeat(type: PlayerEvent['type']) {
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (_: string, { body }: { body: URLSearchParams }) => {
    const error = { code: -1, message: '' }
    const isRefused = body.get('event') === type
    return isRefused ? Response.json({ status: false, error }, { status: 401 }) : Response.json({})
  })
}

test.each([
  ['a signed-in viewer', 'progress', { id: 7 }, 'expired abc'],
  ['a viewer who is signed out', 'progress', null, 'refused -1 abc'],
  ['a session that has just started', 'start', { id: 7 }, 'refused -1 abc'],
] as const)('A4.4-03 a heartbeat is refused with -1: %s', async (_, type, account, expected) => {
  refuseHeartbeat(type)
  const heard: string[] = []
  const { reporter } = parts(undefined, {
    // The fake has only the members of the query client that the reports use.
    queryClient: { fetchQuery: async () => ({ account }) } as never,
    expired: (session) => heard.push(`expired ${session}`),
    refused: (refusal, session) =>
      heard.push(`refused ${refusal instanceof ApiError ? refusal.code : ''} ${session}`),
  })
  reporter.about({ kind: 'channel', id: 2, session: 'abc' })
  reporter.report({ type: 'start' }, 0)
  if (type !== 'start') reporter.report({ type, position: undefined }, HEARTBEAT_SECONDS * 1000)
  await vi.waitFor(() => expect(heard).toEqual([expected]))
})

test('A4.4-03 if the account cannot be read after a refusal, the failure belongs to the refused session', async () => {
  refuseHeartbeat('progress')
  const heard: unknown[] = []
  const { reporter } = parts(undefined, {
    queryClient: { fetchQuery: async () => Promise.reject(new TypeError('Failed to fetch')) } as never,
    refused: (_, session) => heard.push(session),
  })
  reporter.about({ kind: 'channel', id: 2, session: 'abc' })
  reporter.report({ type: 'start' }, 0)
  reporter.report({ type: 'progress', position: undefined }, HEARTBEAT_SECONDS * 1000)
  await vi.waitFor(() => expect(heard).toEqual(['abc']))
})

test.each([
  [0, undefined],
  [720, true],
])('V4-27 with a rule for video above %d lines, a session says of its device: %s', async (height, said) => {
  rules.hardwareAboveHeight = height
  const inputs: unknown[] = []
  const { open } = parts(async (operation, input) => {
    if (operation.name === 'channelStream') inputs.push(input)
    throw new ApiError({ code: -10, status: 404, message: '' })
  })
  await expect(open({ kind: 'channel', id: 1 })).rejects.toThrow(ApiError)
  expect(inputs).toEqual([expect.objectContaining({ idChannel: 1 })])
  expect(inputs[0]).toHaveProperty('format', 'dash')
  expect((inputs[0] as { hasHardwareSecurity?: boolean }).hasHardwareSecurity).toBe(said)
})

test.each([
  [true, true],
  [false, undefined],
])('V4-27 in a browser whose FairPlay is %s, a session says of its device: %s', async (has, said) => {
  browser.hasFairPlay = has
  const inputs: { hasFairPlay?: boolean }[] = []
  const { open } = parts(async (operation, input) => {
    if (operation.name === 'channelStream') inputs.push(input)
    throw new ApiError({ code: -10, status: 404, message: '' })
  })
  await expect(open({ kind: 'channel', id: 1 })).rejects.toThrow(ApiError)
  expect(inputs.map(({ hasFairPlay }) => hasFairPlay)).toEqual([said])
})

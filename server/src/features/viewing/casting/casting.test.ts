import { EventEmitter } from 'node:events'
import { loginDevice } from '@ondine/contract/account-calls'
import { logout } from '@ondine/contract/accounts'
import {
  type CastCommand,
  type CastContent,
  castTo,
  connectScreens,
  controlScreen,
  listScreens,
  reportScreen,
  type ScreenState,
} from '@ondine/contract/casting'
import { casRemoveDevice } from '@ondine/contract/devices'
import { downloadAsset } from '@ondine/contract/downloads'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { readAsset } from '@ondine/contract/playback'
import { activateProfile, createProfile, deleteProfile, updateProfile } from '@ondine/contract/profiles'
import { playRecording } from '@ondine/contract/recordings'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { castDevicesOf, closeCodeOf, openSocket } from '../../../../test/cast-devices.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { recordingScene } from '../../../../test/recording-scene.ts'
import { testScene } from '../../../../test/scene.ts'
import { screensOf } from '../../../../test/screens.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { screenCommands, screens as storedScreens } from './casting.table.ts'
import { ScreenConnections } from './screen-connections.ts'
import { noteOpen } from './screens.ts'

/** Close code of a WebSocket that was refused before it opened (RFC 6455, 7.1.5). */
const REFUSED = 1006

const HOUR_MS = 3_600_000

const PLAYING: ScreenState = {
  content: { kind: 'asset', id: 1 },
  streamType: 'VOD_MOVIE',
  title: 'La Houle',
  subtitle: '',
  image: '',
  playback: 'playing',
  position: 61.5,
  duration: 5400,
  canMove: true,
  canStartOver: false,
  isLive: false,
  nextTitle: '',
  audio: ['fr'],
  subtitles: ['fr', 'en'],
  chosenAudio: 'fr',
  chosenSubtitles: 'non',
  volumePercent: 80,
  at: NOON,
}

/** A WebSocket whose other side neither answers pings nor closes. */
class QuietSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  readonly sent: string[] = []
  isEnded = false
  close(): void {
    this.readyState = 2
  }
  ping(): void {}
  send(text: string): void {
    this.sent.push(text)
  }
  terminate(): void {
    this.isEnded = true
  }
}

describe.each(MAIN_DB)('casting, on a database of kind %s', (kind) => {
  let film: number
  let strong: number
  const scene = testScene(kind, {
    prepared: async ({ make }) => {
      film = (await make.asset('La Houle')).id
      strong = (await make.asset('Front froid', { moralityLevel: 4 })).id
    },
  })
  const { on, play } = screensOf(scene)
  const { connect, idOf } = castDevicesOf(scene)

  const asset = (id: number): CastContent => ({ kind: 'asset', id })
  const mediaOf = (content: CastContent) => ({
    content,
    startAt: 60,
    idAudioLang: 'fra',
    idSubtitleLang: 'non',
  })
  const cast = async (casDeviceId: number, content: CastContent, tokens: Tokens, session?: string) =>
    await scene.service.call(castTo, { casDeviceId, media: mediaOf(content), session }, tokens)
  const control = async (casDeviceId: number, command: CastCommand, tokens: Tokens) =>
    await scene.service.call(controlScreen, { casDeviceId, command }, tokens)

  /** A television that is open as a screen. */
  async function television(uniqueId = 'television') {
    const tokens = await on(uniqueId)
    const device = await connect(tokens, { as: 'screen' })
    const id = await idOf(tokens)
    await expect.poll(async () => (await listed(id)).isConnected).toBe(true)
    return { tokens, device, id }
  }

  /**
   * Opens a WebSocket at an address that the service refuses. Returns the status and the error code of the HTTP
   * answer, and the close code of the WebSocket.
   */
  async function refused(address: string): Promise<[status: number, code: number, closeCode: number]> {
    const answer = await scene.service.app.inject(address)
    const closed = await closeCodeOf(await openSocket(scene.service, address))
    return [answer.statusCode, answer.json().error.code, closed]
  }

  async function listed(id: number, tokens = scene.actor.tokens) {
    const { result } = await scene.service.call(listScreens, {}, tokens)
    const found = result.find(({ casDeviceId }) => casDeviceId === id)
    if (!found) throw new Error('The screen is not listed.')
    return found
  }

  /**
   * A child's profile of the same account, with a separate sign-in.
   *
   * @param uniqueId device that the parents have registered for the child
   */
  async function child(uniqueId?: string): Promise<{ tokens: Tokens; deviceId: number }> {
    const kid = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    const { id } = (
      await scene.service.call(createProfile, { ...kid, maximumMoralityLevel: 2 }, scene.actor.tokens)
    ).result
    const signedIn = await scene.signedIn(scene.actor.account.email)
    const own = uniqueId === undefined ? signedIn : { ...(await on(uniqueId, signedIn)), ...signedIn }
    const deviceId = uniqueId === undefined ? 0 : await idOf(own)
    const { profileToken } = (await scene.service.call(activateProfile, { idProfile: id }, signedIn)).result
    return { tokens: { ...own, 'x-profile-token': profileToken }, deviceId }
  }

  it('V4-51 V4-55 V4-56 hands a film to a screen, which plays it with a session of its own, and shows its state on the phone', async () => {
    const phone = await on('phone-of-camille')
    const { tokens, device, id } = await television()
    const follows = await connect(phone, { as: 'phone' })
    const first = await follows.newest('screens', ({ screens }) => screens.length === 1)
    expect(first.screens).toEqual([
      { casDeviceId: id, name: 'Firefox 140, Linux', isConnected: true, current: false, state: null },
    ])
    expect((await cast(id, asset(film), phone)).status).toBe(200)
    const load = await device.newest('load')
    expect(load).toMatchObject({ number: 1, media: mediaOf(asset(film)) })
    const lent = { ...tokens, 'x-profile-token': load.profileToken }
    expect((await play(film, lent)).result.url).toMatch(/\.mpd/)
    const state = { ...PLAYING, content: asset(film) }
    await scene.service.call(reportScreen, { number: 1, state }, tokens)
    const shown = await follows.newest('screens', ({ screens }) => screens[0]?.state !== null)
    expect(shown.screens[0]?.state).toEqual(state)
  })

  it('V4-57 a screen receives commands in their order, and a repeated connection only those that it missed', async () => {
    const { tokens, device, id } = await television()
    await cast(id, asset(film), scene.actor.tokens)
    await control(id, { type: 'subtitles', language: 'non' }, scene.actor.tokens)
    await device.newest('command', ({ number }) => number === 2)
    // The network is lost without a close event, so the service still regards the screen as connected.
    const again = await connect(tokens, { as: 'screen', after: 1 })
    await again.newest('command', ({ command }) => command.type === 'subtitles')
    expect(await device.closed).toBe(4000)
    expect(again.messages.map((message) => message.type)).toEqual(['opened', 'command'])
    // A screen notices after 37.5 s that its connection was lost, and connects again.
    scene.service.clock.advance(40_000)
    const slow = await connect(tokens, { as: 'screen', after: 1 })
    await slow.newest('command', ({ command }) => command.type === 'subtitles')
    // A command older than the limit is not carried out.
    scene.service.clock.advance(21_000)
    const late = await connect(tokens, { as: 'screen', after: 0 })
    await control(id, { type: 'pause' }, scene.actor.tokens)
    await late.newest('command', ({ command }) => command.type === 'pause')
    expect(late.messages.filter(({ type }) => type !== 'opened')).toHaveLength(1)
  })

  it('V4-51 the last command of two phones wins, on the screen and on both phones', async () => {
    const phones = [await on('phone-one'), await on('phone-two')]
    const { device, id } = await television()
    await cast(id, asset(film), phones[0]!)
    const commands = [10, 20, 30, 40, 50, 60].map((position) => ({ type: 'seek' as const, position }))
    const answers = await Promise.all(
      commands.map(async (command, index) => await control(id, command, phones[index % 2]!)),
    )
    expect(answers.map(({ status }) => status)).toEqual(commands.map(() => 200))
    await device.newest('command', ({ number }) => number === 7)
    const numbers = device.messages.flatMap((message) => (message.type === 'command' ? message.number : []))
    expect(numbers).toEqual([2, 3, 4, 5, 6, 7])
    await cast(id, asset(strong), phones[1]!)
    expect((await device.newest('load', ({ number }) => number === 8)).media.content).toEqual(asset(strong))
  })

  it('V4-51 shows a screen without a connection as such, and refuses commands to it', async () => {
    const { device, id } = await television()
    device.leave()
    await expect.poll(async () => (await listed(id)).isConnected).toBe(false)
    expect((await cast(id, asset(film), scene.actor.tokens)).error.code).toBe(-511)
    expect((await control(id, { type: 'play' }, scene.actor.tokens)).error.code).toBe(-511)
  })

  it('V4-51 counts a screen as lost when its process no longer records it', async () => {
    const { id } = await television()
    scene.service.clock.advance(46_000)
    expect((await listed(id)).isConnected).toBe(false)
  })

  it('V4-51 refuses screens of other accounts, forged tickets, and devices that are not registered', async () => {
    const { tokens, device, id } = await television()
    const stranger = await scene.make.actor()
    expect((await scene.service.call(listScreens, {}, stranger.tokens)).result).toEqual([])
    for (const answer of [
      await cast(id, asset(film), stranger.tokens),
      await control(id, { type: 'stop' }, stranger.tokens),
    ])
      expect([answer.status, answer.error.code]).toEqual([404, -404])
    const foreign = { ...stranger.tokens, 'x-device-token': tokens['x-device-token'] ?? '' }
    for (const answer of [
      await scene.service.call(connectScreens, { as: 'screen' }, foreign),
      await scene.service.call(reportScreen, { number: 0 }, foreign),
    ])
      expect(answer.error.code).toBe(-340)
    for (const address of [
      '/proxy/screens',
      '/proxy/screens?ticket=forged',
      '/proxy/screens?ticket=a&ticket=b',
    ])
      expect(await refused(address)).toEqual([401, -1, REFUSED])
    const { address } = (await scene.service.call(connectScreens, { as: 'phone' }, tokens)).result
    scene.service.clock.advance(31_000)
    expect(await refused(address)).toEqual([401, -1, REFUSED])
    expect(device.messages).toEqual([{ type: 'opened', number: 0, casDeviceId: id }])
  })

  it('V4-51 refuses the ticket of a sign-in that has ended, and closes the screen of a removed device', async () => {
    const signedIn = { ...scene.actor.tokens, ...(await scene.signedIn(scene.actor.account.email)) }
    const { address } = (await scene.service.call(connectScreens, { as: 'phone' }, signedIn)).result
    await scene.service.call(logout, {}, signedIn)
    expect(await refused(address)).toEqual([401, -1, REFUSED])
    const { device, id } = await television()
    await scene.service.call(casRemoveDevice, { casDeviceId: id }, scene.actor.tokens)
    expect(await device.closed).toBe(4001)
  })

  it('A8.1-03 V4-52 a cast counts once: the phone makes room for the screen, and the screen for the phone', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const phone = await on('phone-of-camille')
    const { tokens, id } = await television()
    const { session } = (await play(film, phone)).result
    expect((await play(film, tokens)).error.code).toBe(-440)
    await cast(id, asset(film), phone, session)
    expect((await play(film, tokens)).status).toBe(200)
    expect((await play(film, phone)).error.code).toBe(-440)
    await control(id, { type: 'stop' }, phone)
    expect((await play(film, phone)).status).toBe(200)
    await configuration.undo()
  })

  it('A6-05 a child stays a child: on the screen of its parents, and against what they have cast', async () => {
    const { tokens, device, id } = await television()
    const { tokens: kid } = await child()
    expect((await cast(id, asset(strong), kid)).error.code).toBe(-404)
    await cast(id, asset(strong), scene.actor.tokens)
    const state = { ...PLAYING, content: asset(strong), title: 'Front froid' }
    await scene.service.call(reportScreen, { number: 1, state }, tokens)
    expect((await listed(id)).state?.title).toBe('Front froid')
    expect((await listed(id, kid)).state).toBeNull()
    expect((await control(id, { type: 'pause' }, kid)).error.code).toBe(-404)
    await cast(id, asset(film), kid)
    const load = await device.newest('load', ({ media }) => media.content.id === film)
    const lent = { ...tokens, 'x-profile-token': load.profileToken }
    const languages = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    const asked = await scene.service.call(readAsset, { idAsset: strong, ...languages }, lent)
    expect(asked.error.code).toBe(-404)
    expect((await control(id, { type: 'pause' }, kid)).status).toBe(200)
  })

  it('A6-05 a child that casts to the screen does not see what the parents had cast, not even late', async () => {
    const { tokens, id } = await television()
    const { tokens: kid } = await child()
    await cast(id, asset(strong), scene.actor.tokens)
    const state = { ...PLAYING, content: asset(strong), title: 'Front froid' }
    await scene.service.call(reportScreen, { number: 1, state }, tokens)
    await cast(id, asset(film), kid)
    expect((await listed(id, kid)).state).toBeNull()
    // The screen sends a report of the first cast before it receives the second one.
    expect((await scene.service.call(reportScreen, { number: 1, state }, tokens)).status).toBe(200)
    expect((await listed(id, kid)).state).toBeNull()
    const next = { ...PLAYING, content: asset(film) }
    await scene.service.call(reportScreen, { number: 2, state: next }, tokens)
    expect((await listed(id, kid)).state).toEqual(next)
  })

  it('A6-06 a profile with parental control sees no picture of what another profile has cast', async () => {
    const { tokens, id } = await television()
    const alix = { name: 'Alix', language: 'fra', kidProfile: false, parentalControl: true } as const
    const { id: idProfile } = (
      await scene.service.call(createProfile, { ...alix, maximumMoralityLevel: 2 }, scene.actor.tokens)
    ).result
    const signedIn = await scene.signedIn(scene.actor.account.email)
    const { profileToken } = (await scene.service.call(activateProfile, { idProfile }, signedIn)).result
    const limited = { ...signedIn, 'x-profile-token': profileToken }
    const follows = await connect(limited, { as: 'phone' })
    await cast(id, asset(strong), scene.actor.tokens)
    const state = {
      ...PLAYING,
      content: asset(strong),
      title: 'Front froid',
      image: '/images/front-froid/480',
    }
    await scene.service.call(reportScreen, { number: 1, state }, tokens)
    expect((await listed(id)).state).toEqual(state)
    expect((await listed(id, limited)).state).toEqual({ ...state, image: '' })
    const shown = await follows.newest('screens', ({ screens }) => screens[0]?.state !== null)
    expect(shown.screens[0]?.state).toEqual({ ...state, image: '' })

    await cast(id, asset(film), limited)
    const next = { ...PLAYING, content: asset(film), image: '/images/la-houle/480' }
    await scene.service.call(reportScreen, { number: 2, state: next }, tokens)
    expect((await listed(id, limited)).state).toEqual(next)
    expect((await listed(id)).state).toEqual(next)
    const configuration = await changeConfigurationOf(scene.service, {
      'accounts.isParentalControlEnabled': false,
    })
    await cast(id, asset(strong), scene.actor.tokens)
    await scene.service.call(reportScreen, { number: 3, state }, tokens)
    expect((await listed(id, limited)).state).toEqual(state)
    await configuration.undo()
  })

  it('A6-05 a phone that changes to a child’s profile no longer sees what the parents have cast', async () => {
    const { tokens, id } = await television()
    const kid = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    const { id: idProfile } = (
      await scene.service.call(createProfile, { ...kid, maximumMoralityLevel: 2 }, scene.actor.tokens)
    ).result
    const phone = { ...scene.actor.tokens, ...(await scene.signedIn(scene.actor.account.email)) }
    const follows = await connect(phone, { as: 'phone' })
    await cast(id, asset(strong), phone)
    await scene.service.call(reportScreen, { number: 1, state: PLAYING }, tokens)
    await follows.newest('screens', ({ screens }) => screens[0]?.state !== null)
    await scene.service.call(activateProfile, { idProfile }, phone)
    await scene.service.call(reportScreen, { number: 1, state: { ...PLAYING, position: 90 } }, tokens)
    await expect.poll(() => follows.messages.at(-1)).toMatchObject({ screens: [{ state: null }] })
  })

  it('A6-05 the screen of a child stays a child’s, whoever casts', async () => {
    const { tokens, deviceId } = await child('screen-of-a-child')
    const device = await connect(tokens, { as: 'screen' })
    await expect.poll(async () => (await listed(deviceId)).isConnected).toBe(true)
    await cast(deviceId, asset(film), scene.actor.tokens)
    const load = await device.newest('load')
    const lent = { ...tokens, 'x-profile-token': load.profileToken }
    expect((await play(strong, lent)).error.code).toBe(-404)
    expect((await play(film, lent)).status).toBe(200)
  })

  it('A6-05 the proof of the parental code goes to the screen of its parents, and not to the screen of a child', async () => {
    const { tokens, deviceId } = await child('screen-of-a-child')
    const ofChild = await connect(tokens, { as: 'screen' })
    await expect.poll(async () => (await listed(deviceId)).isConnected).toBe(true)
    const { tokens: parents, device, id } = await television()
    await scene.service.call(setAdultCode, { adultCode: '2580' }, scene.actor.tokens)
    const { result: parentalProof } = await scene.service.call(
      validateAdultCode,
      { parentalCode: '2580' },
      scene.actor.tokens,
    )
    for (const casDeviceId of [id, deviceId]) {
      const input = { casDeviceId, media: mediaOf(asset(film)), parentalProof }
      expect((await scene.service.call(castTo, input, scene.actor.tokens)).status).toBe(200)
    }
    const { parentalProof: lent } = await device.newest('load')
    expect(lent).toBeDefined()
    expect((await ofChild.newest('load')).parentalProof).toBeUndefined()

    // Another page of the screen still gets the proof. The service deletes the proof once a page reports playback.
    const receiver = await connect(parents, { as: 'screen', after: 0 })
    expect((await receiver.newest('load')).parentalProof).toBe(lent)
    const state = { ...PLAYING, content: asset(film) }
    expect((await scene.service.call(reportScreen, { number: 1, state }, parents)).status).toBe(200)
    const { db } = scene.service.context
    expect(await db.select().from(screenCommands).where(eq(screenCommands.deviceId, id))).toEqual([])
  })

  it('A6-06 A6-08 a screen plays the next episodes for hours with the proof from the phone, which proves nothing else', async () => {
    const adult = await scene.make.asset('Interférences', { adult: true })
    const { tokens, device, id } = await television()
    const phone = scene.actor.tokens
    await scene.service.call(setAdultCode, { adultCode: '2580' }, phone)
    const { result: given } = await scene.service.call(validateAdultCode, { parentalCode: '2580' }, phone)
    const castWith = async (parentalProof: string | undefined) =>
      await scene.service.call(
        castTo,
        { casDeviceId: id, media: mediaOf(asset(adult.id)), parentalProof },
        phone,
      )
    expect((await castWith(given)).status).toBe(200)
    const { profileToken, parentalProof } = await device.newest('load')
    // A cast with a lent proof lends no new proof, so a screen cannot prolong its proof.
    expect((await castWith(parentalProof)).status).toBe(200)
    const again = await device.newest('load', ({ number }) => number === 2)
    expect(again.parentalProof).toBeUndefined()

    const playWith = async (profile: Tokens) => {
      const languages = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
      const input = { idAsset: adult.id, parentalProof, ...languages }
      return (await scene.service.call(readAsset, input, { ...tokens, ...profile })).status
    }
    scene.service.clock.advance(HOUR_MS)
    expect(await playWith({ 'x-profile-token': profileToken })).toBe(200)
    // Keys of downloads would outlive the proof.
    const downloaded = await scene.service.call(
      downloadAsset,
      { idAsset: adult.id, idAudioLang: 'fra', idSubtitleLang: 'non', parentalProof },
      { ...tokens, 'x-profile-token': profileToken },
    )
    expect(downloaded.error.code).toBe(-1612)

    // Another profile cannot use the proof, and a child cannot leave its profile with the proof.
    const other = { name: 'Alix', language: 'fra', kidProfile: false, parentalControl: false } as const
    const { id: idOther } = (
      await scene.service.call(createProfile, { ...other, maximumMoralityLevel: 5 }, phone)
    ).result
    const signedIn = await scene.signedIn(scene.actor.account.email)
    const activated = await scene.service.call(activateProfile, { idProfile: idOther }, signedIn)
    expect(await playWith({ ...signedIn, 'x-profile-token': activated.result.profileToken })).toBe(403)
    const { tokens: kid } = await child()
    const left = await scene.service.call(activateProfile, { idProfile: idOther, parentalProof }, kid)
    expect(left.error.code).toBe(-1612)

    scene.service.clock.advance(5 * HOUR_MS)
    expect(await playWith({ 'x-profile-token': profileToken })).toBe(403)
  })

  describe('days after a cast', () => {
    /** Casts a film, lets the time of a token pass several times, and returns the tokens with which the screen plays. */
    async function later(days: number) {
      const { tokens, device, id } = await television()
      const idProfile = await profileOfPhone()
      await cast(id, asset(film), await phoneOf(idProfile))
      const { profileToken } = await device.newest('load')
      scene.service.clock.advance(days * 24 * HOUR_MS)
      // The screen's own sign-in is renewed by its device.
      const { newAuthToken } = (
        await scene.service.call(loginDevice, {}, { 'x-device-token': tokens['x-device-token'] ?? '' })
      ).result
      const own = { ...tokens, 'x-auth-token': newAuthToken }
      return { id, idProfile, own, lent: { ...own, 'x-profile-token': profileToken } }
    }

    async function profileOfPhone(): Promise<number> {
      const alix = { name: 'Alix', language: 'fra', kidProfile: false, parentalControl: false } as const
      const input = { ...alix, maximumMoralityLevel: 0 }
      return (await scene.service.call(createProfile, input, scene.actor.tokens)).result.id
    }

    async function phoneOf(idProfile: number): Promise<Tokens> {
      const signedIn = await scene.signedIn(scene.actor.account.email)
      const { profileToken } = (await scene.service.call(activateProfile, { idProfile }, signedIn)).result
      return { ...signedIn, 'x-profile-token': profileToken }
    }

    it('V4-56 a screen still plays the next title, though not without a sign-in of its own', async () => {
      const { lent } = await later(6)
      expect((await play(film, lent)).status).toBe(200)
      expect((await play(film, { ...lent, 'x-auth-token': '' })).error.code).toBe(-1)
      const stranger = await scene.make.actor()
      const foreign = { ...stranger.tokens, 'x-profile-token': lent['x-profile-token'] }
      expect((await play(film, foreign)).error.code).toBe(-1)
    })

    it('V4-56 a removed screen plays nothing more', async () => {
      const { id, lent } = await later(6)
      await scene.service.call(
        casRemoveDevice,
        { casDeviceId: id },
        await scene.signedIn(scene.actor.account.email),
      )
      expect((await play(film, lent)).status).not.toBe(200)
      // Every process learns of it within seconds (spec 47).
      await expect.poll(async () => (await play(film, lent)).error.code).toBe(-1)
    })

    it('A6-05 a screen plays nothing more for a profile that was removed, and nothing above a lower level', async () => {
      const { idProfile, own, lent } = await later(6)
      const limited = { name: 'Alix', language: 'fra', kidProfile: false, parentalControl: true } as const
      const input = { id: idProfile, ...limited, maximumMoralityLevel: 2 }
      expect((await play(strong, lent)).status).toBe(200)
      expect((await scene.service.call(updateProfile, input, own)).status).toBe(200)
      expect((await play(strong, lent)).status).toBe(403)
      expect((await scene.service.call(deleteProfile, { id: idProfile }, own)).status).toBe(200)
      expect((await play(film, lent)).status).toBe(401)
    })

    it('V4-56 the rights that a phone has lent end after a week', async () => {
      const { lent } = await later(7)
      expect((await play(film, lent)).error.code).toBe(-1)
    })

    it('V4-56 the rights that a phone has lent last as long as a sign-in if that is more than a week', async () => {
      const { settings } = scene.service.context
      const normal = settings.TOKEN_HOURS
      try {
        settings.TOKEN_HOURS = 24 * 30
        const { lent } = await later(29)
        expect((await play(film, lent)).status).toBe(200)
      } finally {
        settings.TOKEN_HOURS = normal
      }
    })
  })

  it('A8.3-06 limits how often a device connects, and how many commands it sends to a screen', async () => {
    const connections: number[] = []
    const busy = (await scene.make.actor()).tokens
    const { address } = (await scene.service.call(connectScreens, { as: 'phone' }, busy)).result
    for (let count = 0; count < 121; count++)
      connections.push((await scene.service.app.inject(address)).statusCode)
    expect(connections.indexOf(429)).toBe(120)
    const commands: number[] = []
    for (let count = 0; count < 201; count++)
      commands.push((await control(999_999, { type: 'play' }, busy)).status)
    expect(commands.indexOf(429)).toBe(200)
    // Screens of other accounts still connect, and get their commands.
    const { id } = await television()
    expect((await control(id, { type: 'play' }, scene.actor.tokens)).status).toBe(200)
  })

  it('V1-06 casting can be switched off', async () => {
    const { tokens } = scene.actor
    const { id } = await television()
    const configuration = await changeConfigurationOf(scene.service, { 'player.isCastEnabled': false })
    const answers = [
      await scene.service.call(connectScreens, { as: 'phone' }, tokens),
      await scene.service.call(listScreens, {}, tokens),
      await cast(id, asset(film), tokens),
      await control(id, { type: 'pause' }, tokens),
      await control(id, { type: 'stop' }, tokens),
    ]
    await configuration.undo()
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 200])
  })

  it('V4-51 phones and screens may be connected to different processes', async () => {
    const other = await scene.service.another()
    const tokens = await on('television')
    const device = await connect(tokens, { as: 'screen' }, other)
    const follows = await connect(scene.actor.tokens, { as: 'phone' })
    const { screens } = await follows.newest('screens', ({ screens: all }) =>
      all.some((each) => each.isConnected),
    )
    await cast(screens[0]?.casDeviceId ?? 0, asset(film), scene.actor.tokens)
    expect((await device.newest('load')).media.content.id).toBe(film)
  })

  it('V4-51 tells a device every 15 s that its connection is open, and ends it when no ping is answered', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    try {
      const { account, profileId } = scene.actor
      const connections = new ScreenConnections(scene.service.context)
      const socket = new QuietSocket()
      const signIn = { accountId: account.id, signIn: 'a', since: 0 }
      const phone = {
        as: 'phone',
        profileId,
        kid: false,
        isLimited: false,
        deviceId: null,
        signIn,
        after: undefined,
      } as const
      // The test double has the members of a WebSocket that the service uses.
      await connections.accept(socket as never, phone)
      expect(socket.sent).not.toContain('{"type":"alive"}')
      vi.advanceTimersByTime(15_000)
      expect(socket.sent).toContain('{"type":"alive"}')
      expect(socket.isEnded).toBe(false)
      vi.advanceTimersByTime(15_000)
      expect(socket.isEnded).toBe(true)
      connections.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('V4-51 an account has at most 50 open connections, even if devices do not confirm that theirs are closed', async () => {
    const { account, profileId } = scene.actor
    const connections = new ScreenConnections(scene.service.context)
    const signIn = { accountId: account.id, signIn: 'a', since: 0 }
    const phone = {
      as: 'phone',
      profileId,
      kid: false,
      isLimited: false,
      deviceId: null,
      signIn,
      after: undefined,
    } as const
    const sockets = Array.from({ length: 53 }, () => new QuietSocket())
    // The test double has the members of a WebSocket that the service uses.
    for (const socket of sockets) await connections.accept(socket as never, phone)
    expect(sockets.map(({ readyState }) => readyState)).toEqual([
      2,
      2,
      2,
      ...Array.from({ length: 50 }, () => 1),
    ])
    connections.close()
  })

  it('V4-51 reports changes of screens to all processes, but not that they are still open', async () => {
    const { id } = await television()
    const { db, connection, clock } = scene.service.context
    await connection.changes.settled()
    const { account, tokens } = scene.actor
    const reported: number[] = []
    connection.changes.on('screens', (ids) => {
      reported.push(...(ids ?? []).filter((each) => each === account.id))
    })
    const stored = async () => await db.select().from(storedScreens).where(eq(storedScreens.deviceId, id))
    const [row] = await stored()
    const seenAt = clock.now() + 1
    await noteOpen(db, [{ deviceId: id, connection: row?.connection ?? '' }], seenAt)
    await connection.changes.settled()
    expect(reported).toEqual([])
    expect((await stored())[0]?.seenAt).toBe(seenAt)
    await control(id, { type: 'pause' }, tokens)
    await connection.changes.settled()
    expect(reported).toEqual([account.id])
  })

  it('V4-51 a device that cannot be reached does not delay the messages to other accounts', async () => {
    const connections = new ScreenConnections(scene.service.context)
    const accept = async ({ account, profileId }: Actor, socket: QuietSocket) => {
      const signIn = { accountId: account.id, signIn: 'a', since: 0 }
      const phone = {
        as: 'phone',
        profileId,
        kid: false,
        isLimited: false,
        deviceId: null,
        signIn,
        after: undefined,
      } as const
      // The test double has the members of a WebSocket that the service uses.
      await connections.accept(socket as never, phone)
    }
    const others = [await scene.make.actor(), await scene.make.actor()]
    const broken = new QuietSocket()
    broken.send = () => {
      throw new Error('The socket is broken')
    }
    const quiet = new QuietSocket()
    // While the first account is served, the changes of the other two accounts wait. One query then reads both.
    await Promise.all([
      accept(scene.actor, new QuietSocket()),
      accept(others[0]!, broken),
      accept(others[1]!, quiet),
    ])
    await expect.poll(() => quiet.sent).toEqual(['{"type":"screens","screens":[]}'])
    connections.close()
  })

  it.each([
    ['media', { content: { kind: 'trailer', id: 1 } }],
    ['media', { content: { kind: 'asset', id: 0 } }],
    ['media', { content: { kind: 'asset', id: 1 }, startAt: -1 }],
    ['command', { type: 'explode' }],
    ['command', { type: 'seek' }],
    ['command', { type: 'volume', percent: 101 }],
  ])('V4-55 refuses malformed %s %j', async (field, value) => {
    const [operation, other] =
      field === 'media' ? [castTo, { media: value }] : [controlScreen, { command: value }]
    const answer = await scene.service.call(
      operation,
      // The test sends what the types forbid.
      { casDeviceId: 1, ...other } as never,
      scene.actor.tokens,
    )
    expect([answer.status, answer.error.details?.fields?.[0]?.field.split('.')[0]]).toEqual([400, field])
  })
})

describe.each(MAIN_DB)('casting of recordings, on a database of kind %s', (kind) => {
  const { scene, programme, record, at } = recordingScene(kind)
  const { on } = screensOf(scene)
  const { connect, idOf } = castDevicesOf(scene)

  it('V4-55 hands a recording over to a screen, once it can be played, and only that of the account', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    const tokens = await on('television')
    const casDeviceId = await idOf(tokens)
    const cast = async (recording: number) => {
      const content = { kind: 'recording' as const, id: recording }
      const media = { content, startAt: 90, idAudioLang: 'fra', idSubtitleLang: 'non' }
      return await scene.service.call(castTo, { casDeviceId, media }, scene.actor.tokens)
    }
    at(wanted.endutc * 1000 + HOUR_MS)
    const device = await connect(tokens, { as: 'screen' })
    await device.newest('opened')
    expect((await cast(id)).status).toBe(200)
    const load = await device.newest('load')
    expect(load.media).toMatchObject({ content: { kind: 'recording', id }, startAt: 90 })
    const lent = { ...tokens, 'x-profile-token': load.profileToken }
    const played = await scene.service.call(playRecording, { id, x: 'start', format: 'dash' }, lent)
    expect(played.result.url).toMatch(/\.mpd/)
    expect((await cast(999_999)).error.code).toBe(-404)
    const planned = (await record(await programme('La Houle', 20))).result.id
    expect((await cast(planned)).error.code).toBe(-1602)
  })
})

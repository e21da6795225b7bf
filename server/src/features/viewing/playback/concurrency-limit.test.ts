import { loginDevice } from '@ondine/contract/account-calls'
import { oauthToken } from '@ondine/contract/accounts'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { channelStream, getVodLicense, heartbeat, readAsset } from '@ondine/contract/playback'
import { activateProfile, createProfile } from '@ondine/contract/profiles'
import { describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { PHONE, screensOf } from '../../../../test/screens.ts'
import { MAIN_DB, NOON, type Tokens } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'

describe.each(MAIN_DB)('concurrent playback, on a database of kind %s', (kind) => {
  let film: number
  let keyId: string
  const channels: number[] = []
  const scene = testScene(kind, {
    actor: { packages: { cinema: {} } },
    prepared: async ({ make, service: { context } }) => {
      const made = await make.asset('La Houle')
      film = made.id
      keyId = Buffer.from(made.trackSet?.encryption?.keyId ?? '', 'hex').toString('base64url')
      await ensurePackage(context.db, 'cinema', { fra: 'Cinéma', eng: 'Cinema' }, 10)
      const rules = { kind: 'sequence', titles: ['La Houle'] }
      for (const name of ['Rive', 'Cap'])
        channels.push((await make.channel(name, rules, { inPackages: ['cinema'] })).id)
      await extendSchedules(context.db, createTrackSetStore(context.db), NOON)
    },
  })

  const { list, remove, on, play: playFilm } = screensOf(scene)
  const play = async (tokens: Tokens) => await playFilm(film, tokens)

  it('A8.1-03 answers -440 with the title and the device of each session, until a session ends or goes silent', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 2 })
    const screens = [
      await on('screen-one'),
      await on('screen-two', { 'user-agent': PHONE }),
      await on('screen-three'),
    ]
    const first = await play(screens[0]!)
    // A device that starts playback again still counts once.
    expect((await play(screens[0]!)).status).toBe(200)
    const second = await play(screens[1]!)
    const refused = await play(screens[2]!)
    expect([refused.status, refused.error.code]).toEqual([403, -440])
    expect(refused.error.details?.sessions).toEqual([
      { device: 'Firefox 140, Linux', title: 'La Houle' },
      { device: 'Safari 18, iOS', title: 'La Houle' },
    ])
    await scene.service.call(heartbeat, { session: second.result.session, event: 'close' })
    expect((await play(screens[2]!)).status).toBe(200)
    expect((await play(screens[1]!)).status).toBe(403)
    scene.service.clock.advance(46_000)
    expect((await play(screens[1]!)).status).toBe(200)
    expect(first.status).toBe(200)
    await configuration.undo()
  })

  it('A8.1-03 A6-05 tells a child on which devices something plays, and no title hidden from it', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 4 })
    const adult = await scene.make.asset('Interférences', { adult: true })
    await scene.service.call(setAdultCode, { adultCode: '2580' }, scene.actor.tokens)
    const parentalProof = (
      await scene.service.call(validateAdultCode, { parentalCode: '2580' }, scene.actor.tokens)
    ).result
    const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
    const kid = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    const { id } = (
      await scene.service.call(createProfile, { ...kid, maximumMoralityLevel: 2 }, scene.actor.tokens)
    ).result
    // The child has a separate sign-in, on a device that its parents have registered.
    const signedIn = await scene.signedIn(scene.actor.account.email)
    const own = { ...(await on('screen-of-child', { 'user-agent': PHONE, ...signedIn })), ...signedIn }
    const { profileToken } = (await scene.service.call(activateProfile, { idProfile: id }, signedIn)).result
    const child = { ...own, 'x-profile-token': profileToken }
    const begun = await play(child)
    expect(begun.status).toBe(200)
    scene.service.clock.advance(60_000)
    for (const [index, idAsset] of [adult.id, strong.id, film].entries()) {
      const tokens = await on(`screen-${index}`, index === 1 ? { 'user-agent': PHONE } : {})
      const asked = {
        idAsset,
        idAudioLang: 'fra',
        idSubtitleLang: 'non',
        format: 'dash',
        parentalProof,
      } as const
      expect((await scene.service.call(readAsset, asked, tokens)).status).toBe(200)
    }
    await configuration.undo()
    const fewer = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 3 })
    const expected = [
      { device: 'Firefox 140, Linux', title: '' },
      { device: 'Safari 18, iOS', title: '' },
      { device: 'Firefox 140, Linux', title: 'La Houle' },
    ]
    expect((await play(child)).error.details?.sessions).toEqual(expected)
    // A session that has lost its seat gets the same list.
    const beat = { session: begun.result.session, event: 'progress' } as const
    scene.service.clock.advance(41_000)
    await expect
      .poll(async () => (await scene.service.call(heartbeat, beat)).error.details?.sessions)
      .toEqual(expected)
    const grownUp = await play(await on('screen-of-parents'))
    expect(grownUp.error.details?.sessions?.map(({ title }) => title)).toEqual([
      'Interférences',
      'Front froid',
      'La Houle',
    ])
    await fewer.undo()
  })

  it('a session with heartbeats is still counted', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const { result } = await play(await on('screen-one'))
    const other = await on('screen-two')
    for (let beat = 0; beat < 6; beat++) {
      scene.service.clock.advance(10_000)
      await scene.service.call(heartbeat, { session: result.session, event: 'progress', position: beat })
    }
    expect((await play(other)).error.code).toBe(-440)
    await configuration.undo()
  })

  it('A8.1-03 a session that was silent and continues is counted again, or refused with the title and the device of each session', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const [one, two] = [await on('screen-one'), await on('screen-two', { 'user-agent': PHONE })]
    const first = (await play(one)).result.session
    scene.service.clock.advance(60_000)
    const second = (await play(two)).result.session
    const heard = async (session: string) =>
      await scene.service.call(heartbeat, { session, event: 'progress' })
    const beat = async (session: string) => {
      scene.service.clock.advance(5000)
      return await heard(session)
    }
    await beat(second)
    // The test clock does not move here. So the second session does not become silent while the first one sends
    // heartbeats.
    await expect.poll(async () => (await heard(first)).error.code).toBe(-440)
    const refused = await beat(first)
    expect([refused.status, refused.error.details?.sessions]).toEqual([
      403,
      [{ device: 'Safari 18, iOS', title: 'La Houle' }],
    ])
    expect((await beat(second)).status).toBe(200)
    // The position of a refused heartbeat is stored.
    const late = { session: first, event: 'progress', position: 5 } as const
    expect((await scene.service.call(heartbeat, late)).error.code).toBe(-440)
    const again = (await play(two)).result
    expect(again.seek).toBe(5)
    await scene.service.call(heartbeat, { session: again.session, event: 'close' })
    expect((await beat(first)).status).toBe(200)
    expect((await play(two)).error.code).toBe(-440)
    await configuration.undo()
  })

  it('A8.1-03 a sign-in without a device plays one thing, the last that started', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const first = (await play(scene.actor.tokens)).result.session
    const second = (await play(scene.actor.tokens)).result.session
    const beat = async (session: string) =>
      await scene.service.call(heartbeat, { session, event: 'progress' })
    await expect.poll(async () => (await beat(first)).error.code).toBe(-440)
    expect((await beat(second)).status).toBe(200)
    await configuration.undo()
  })

  it('A8.1-03 counts each sign-in without a device, even from the same second, and keeps its place when it is renewed', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 2 })
    const signIn = async (): Promise<Tokens> => ({
      ...scene.actor.tokens,
      'x-auth-token': (
        await scene.service.call(oauthToken, {
          username: scene.actor.account.email,
          password: 'Ondine-2026!',
          grant_type: 'password',
        })
      ).result.access_token,
    })
    const [one, two, three] = [await signIn(), await signIn(), await signIn()]
    const first = (await play(one)).result.session
    expect((await play(two)).status).toBe(200)
    const refused = await play(three)
    expect([refused.status, refused.error.code]).toEqual([403, -440])
    expect(refused.error.details?.sessions).toEqual([
      { device: '', title: 'La Houle' },
      { device: '', title: 'La Houle' },
    ])
    const { newAuthToken } = (await scene.service.call(loginDevice, {}, one)).result
    const renewed = { ...one, 'x-auth-token': newAuthToken }
    const again = (await play(renewed)).result.session
    const beat = async (session: string, event: 'progress' | 'close' = 'progress') =>
      await scene.service.call(heartbeat, { session, event })
    await expect.poll(async () => (await beat(first)).error.code).toBe(-440)
    expect((await play(three)).error.code).toBe(-440)
    await beat(again, 'close')
    expect((await play(three)).status).toBe(200)
    await configuration.undo()
  })

  it('A8.1-03 gives keys to counted sessions only, and counts a licence request too', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const licence = async (tokens: Tokens) =>
      await scene.service.call(
        getVodLicense,
        { idAsset: film, idAudioLang: 'fra', idSubtitleLang: 'non' },
        tokens,
      )
    const keys = async (licenceUrl = '') =>
      await scene.service.app.inject({
        method: 'POST',
        url: licenceUrl,
        payload: JSON.stringify({ kids: [keyId] }),
      })
    const [one, two] = [await on('screen-one'), await on('screen-two')]
    const playing = (await play(one)).result
    // A second licence for the same session counts only once.
    const more = (await licence(one)).result
    expect((await keys(more?.licenceUrl)).statusCode).toBe(200)
    expect((await keys(playing.drm?.licenceUrl)).statusCode).toBe(200)
    expect((await licence(two)).error.code).toBe(-440)
    scene.service.clock.advance(60_000)
    expect((await licence(two)).status).toBe(200)
    const late = await keys(playing.drm?.licenceUrl)
    expect([late.statusCode, late.json().error.code]).toEqual([403, -440])
    await configuration.undo()
  })

  it('A8.1-03 a channel that was requested ahead of time counts from its start on, and leaves the seat of the other channel alone', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const [one, two] = [await on('screen-one'), await on('screen-two')]
    const watch = async (tokens: Tokens, idChannel = 0, isAhead?: boolean) =>
      await scene.service.call(channelStream, { idChannel, isAhead, format: 'dash' }, tokens)
    const beat = async (session: string, event: 'start' | 'close') =>
      (await scene.service.call(heartbeat, { session, event })).status
    const [first, second] = channels
    const chosen = (await watch(one, first)).result.session
    const ahead = (await watch(one, second, true)).result.session
    expect((await watch(two, first)).error.code).toBe(-440)
    expect(await beat(chosen, 'close')).toBe(200)
    const elsewhere = (await watch(two, first)).result.session
    expect(await beat(ahead, 'start')).toBe(403)
    expect(await beat(elsewhere, 'close')).toBe(200)
    expect(await beat(ahead, 'start')).toBe(200)
    expect((await watch(two, first)).error.code).toBe(-440)
    expect(await beat(ahead, 'close')).toBe(200)
    expect((await watch(two, first)).status).toBe(200)
    await configuration.undo()
  })

  it('A7.1-17 tells a device that is removed during playback', async () => {
    const tokens = await on('computer-1')
    const { session } = (await play(tokens)).result
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const beat = async (position: number) =>
      await scene.service.call(heartbeat, { session, event: 'progress', position })
    await beat(4)
    await remove(casDeviceId)
    await expect.poll(async () => (await beat(8)).error.code).toBe(-1)
    // Later positions of the removed device are not stored either, not even in a batch with positions of
    // another device.
    const again = { ...scene.actor.tokens, ...(await scene.signedIn(scene.actor.account.email)) }
    const other = (await play(again)).result
    expect(other.seek).toBe(4)
    await Promise.all([
      scene.service.call(heartbeat, { session: other.session, event: 'progress', position: 6 }),
      beat(9),
    ])
    expect((await play(again)).result.seek).toBe(6)
  })

  it('many devices that start at once get no more places than there are', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 2 })
    const screens = await Promise.all(
      ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'].map(async (id) => await on(id)),
    )
    const answers = await Promise.all(screens.map(play))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ error }) => error.code === -440)).toHaveLength(2)
    await configuration.undo()
  })
})

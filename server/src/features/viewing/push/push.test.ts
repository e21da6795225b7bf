import { anonymizeMe, updatePassword } from '@ondine/contract/account-calls'
import { logout } from '@ondine/contract/accounts'
import { casAddDevice, casRemoveDevice } from '@ondine/contract/devices'
import { addFavoriteAsset } from '@ondine/contract/favourites'
import { activateProfile, createProfile } from '@ondine/contract/profiles'
import { pushState, renewPush, subscribePush, unsubscribePush } from '@ondine/contract/push'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildTrackSet } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { type FakeBrowser, FakePushService } from '../../../../test/fake-push-service.ts'
import { recordingScene } from '../../../../test/recording-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'
import { favourites } from '../../content/favourites/favourites.table.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { tendRecordings } from '../recordings/recording-jobs.ts'
import { recordings } from '../recordings/recordings.table.ts'
import { announceEpisodes } from './announce-episodes.ts'
import { announcedSeries, pushSubscriptions } from './push.table.ts'
import { announcerOf, startPushJobs } from './push-jobs.ts'
import { pushKeysOf } from './push-keys.ts'
import { endEndpoint } from './subscriptions.ts'

const pushService = new FakePushService()
await pushService.start()
/** Addresses that the operator allows for tuners and guides, but not for push services. */
const OUTBOUND_ALLOW = ['tuner.lan', '10.20.0.0/16', '127.0.0.0/8']
const SETTINGS = { MAIL_FROM: 'service@ondine.test', OUTBOUND_ALLOW }
afterAll(async () => await pushService.stop())

describe.each(MAIN_DB)('notifications, on a database of kind %s', (kind) => {
  const { scene, programme, record, remove, parts, at } = recordingScene(kind, SETTINGS)
  let device: { 'x-device-token': string }
  let showing = 0
  let browsers = 0

  beforeAll(async () => {
    const { context } = scene.service
    await changeConfigurationOf(scene.service, { 'accounts.pushEnabled': true })
    await startPushJobs(context, pushKeysOf(context.db), pushService.fetch)
  })
  beforeEach(async () => {
    at(NOON)
    pushService.fault = undefined
    device = await registered()
  })

  const jobs = async (condition = sql`true`) => {
    const found = await rowsOf<{ count: number }>(
      scene.service.context.db,
      sql`select count(*)::int as count from jobs.job where name like 'push-%' and state < 'completed' and ${condition}`,
    )
    return found[0]?.count
  }
  /** Waits until no message is in the queue. */
  const settled = async () =>
    await expect.poll(async () => await jobs(), { timeout: 20_000, interval: 100 }).toBe(0)

  async function registered({ tokens }: Actor = scene.actor): Promise<{ 'x-device-token': string }> {
    browsers += 1
    const deviceUniqueId = `browser-of-the-tests-${browsers}`
    const input = { deviceUniqueId, parentalProof: undefined }
    const { result, error } = await scene.service.call(casAddDevice, input, tokens)
    expect(error.code).toBe(0)
    return { 'x-device-token': result.deviceAuthToken }
  }

  const state = async (endpoint?: string, { tokens }: Actor = scene.actor, own = device) =>
    await scene.service.call(pushState, { endpoint }, { ...tokens, ...own })

  /** Subscribes a new browser of an actor. */
  async function subscribed(actor: Actor = scene.actor, own = device): Promise<FakeBrowser> {
    const browser = pushService.subscribe((await state(undefined, actor, own)).result.publicKey)
    const input = { ...browser.fields, parentalProof: undefined }
    const answer = await scene.service.call(subscribePush, input, { ...actor.tokens, ...own })
    expect(answer.status).toBe(200)
    return browser
  }

  /**
   * Replaces the subscription of a device by the new subscription of `browser`, as the browser's service worker
   * does.
   */
  const renewed = async ({ fields }: FakeBrowser, { tokens }: Actor = scene.actor, own = device) =>
    await scene.service.call(renewPush, fields, { ...tokens, ...own })

  const isOn = async ({ endpoint }: FakeBrowser, actor: Actor = scene.actor, own = device) =>
    (await state(endpoint, actor, own)).result.isOn

  /** Lets all planned recordings end, and announces them. */
  async function finish(until: number): Promise<void> {
    const { context } = scene.service
    at(until)
    await tendRecordings({ ...parts(), onSettling: announcerOf(context) }, scene.service.clock.now())
    await settled()
  }

  /** Plans to record a programme that no test has recorded yet. */
  async function planned(title = 'La Houle', actor: Actor = scene.actor) {
    at(NOON)
    showing += 1
    const wanted = await programme(title, showing)
    const { result } = await record(wanted, actor)
    return { id: result.id, startsAt: wanted.startutc * 1000, over: (wanted.endutc + 3600) * 1000 }
  }

  /** Records a programme of a title to its end. @param meanwhile called while the programme is recorded */
  async function recorded(
    title = 'La Houle',
    actor: Actor = scene.actor,
    meanwhile: (id: number, startsAt: number) => Promise<unknown> = async () => {},
  ): Promise<number> {
    const { id, startsAt, over } = await planned(title, actor)
    await meanwhile(id, startsAt)
    await finish(over)
    return id
  }

  /** Looks for new episodes. */
  async function look(): Promise<void> {
    await scene.service.context.jobs.send('push-episodes', 'test', {})
    await settled()
  }

  const changeProfile = async (change: Partial<typeof profiles.$inferInsert>, actor: Actor = scene.actor) =>
    await scene.service.context.db.update(profiles).set(change).where(eq(profiles.id, actor.profileId))

  it('a recording that is ready is announced once, encrypted and signed, in the language of the profile', async () => {
    const browser = await subscribed()
    const id = await recorded()
    const expected = {
      profileId: scene.actor.profileId,
      language: 'fr',
      shown: { title: 'La Houle', body: 'Votre enregistrement est prêt.' },
      withheld: { title: 'Ondine', body: 'Du nouveau pour le profil Camille' },
      tag: `recording-${id}`,
      path: '/library/completed-records',
    }
    expect(browser.messages).toEqual([expected])
    expect(pushService.refusals).toEqual([])
    await finish(scene.service.clock.now() + 60_000)
    expect(browser.messages).toHaveLength(1)
  })

  it('messages of an English profile are English', async () => {
    await changeProfile({ language: 'eng' })
    const browser = await subscribed()
    await recorded()
    expect(browser.messages).toMatchObject([
      {
        language: 'en',
        shown: { body: 'Your recording is ready.' },
        withheld: { body: 'Something new for the profile Camille' },
      },
    ])
  })

  it('a recording that was removed or stopped by hand is not announced', async () => {
    const browser = await subscribed()
    await recorded('La Houle', scene.actor, remove)
    await recorded('La Houle', scene.actor, async (id, startsAt) => {
      const stopped = { stoppedAt: startsAt + 60_000 }
      await scene.service.context.db.update(recordings).set(stopped).where(eq(recordings.id, id))
    })
    expect(browser.messages).toEqual([])
  })

  it('a child’s profile gets nothing above its level', async () => {
    const browser = await subscribed()
    const becomeChild = async () => await changeProfile({ kid: true, maximumMoralityLevel: 2 })
    await recorded('Encre', scene.actor, becomeChild)
    expect(browser.messages).toEqual([])
    await recorded()
    expect(browser.messages.map(({ shown }) => shown.title)).toEqual(['La Houle'])
  })

  it('a device gets no news of an adult while a child watches on it', async () => {
    const browser = await subscribed()
    const child = await scene.make.actor({ profile: { kid: true } })
    const { db } = scene.service.context
    const watch = async (childProfileId: number | null) =>
      await db.update(devices).set({ childProfileId }).where(eq(devices.accountId, scene.actor.account.id))
    await recorded('La Houle', scene.actor, async () => await watch(child.profileId))
    expect(browser.messages).toEqual([])
    await recorded('La Houle', scene.actor, async () => await watch(null))
    expect(browser.messages).toHaveLength(1)
  })

  it('a profile that needs the parental code for a title gets a message without the title', async () => {
    const browser = await subscribed()
    const limit = async () => await changeProfile({ maximumMoralityLevel: 2, parentalControl: true })
    await recorded('Encre', scene.actor, limit)
    expect(browser.messages).toMatchObject([
      { shown: { title: 'Ondine', body: 'Votre enregistrement est prêt.' } },
    ])
    expect(JSON.stringify(browser.messages)).not.toContain('Encre')
  })

  it('V1-11 where the operator has no parental control, messages name every title to adults', async () => {
    const browser = await subscribed()
    const without = { 'accounts.isParentalControlEnabled': false }
    const { undo } = await changeConfigurationOf(scene.service, without)
    await recorded('Encre', scene.actor, async () => await changeProfile({ maximumMoralityLevel: 2 }))
    await undo()
    expect(browser.messages.map(({ shown }) => shown.title)).toEqual(['Encre'])
  })

  it('only the profile that recorded is told, in all its browsers', async () => {
    const tokens = await scene.signedIn(scene.actor.account.email)
    const elsewhere = { ...scene.actor, tokens: { ...scene.actor.tokens, ...tokens } }
    const [one, two] = [await subscribed(), await subscribed(elsewhere, await registered(elsewhere))]
    const other = await scene.make.actor({ packages: { television: {} } })
    const third = await subscribed(other, await registered(other))
    await recorded()
    expect([one, two, third].map(({ messages }) => messages.length)).toEqual([1, 1, 0])
  })

  describe('new episodes', () => {
    let seriesId: number
    const episode = async (episodeNumber: number, fields: Partial<typeof assets.$inferInsert> = {}) =>
      await scene.make.asset(`Épisode ${episodeNumber}`, {
        trackSet: buildTrackSet(),
        kind: 'episode',
        serieId: seriesId,
        seasonNumber: 1,
        episodeNumber,
        ...fields,
      })
    const keep = async ({ tokens }: Actor = scene.actor) =>
      await scene.service.call(addFavoriteAsset, { idCategory: seriesId }, tokens)

    beforeEach(async () => {
      seriesId = (await scene.make.series(`Le Métier ${Math.random()}`)).id
      await episode(1)
    })

    it('of a series in the favourites are announced once, and together', async () => {
      const browser = await subscribed()
      await keep()
      await look()
      expect(browser.messages).toEqual([])
      const { id } = await episode(2)
      await look()
      await look()
      expect(browser.messages).toMatchObject([
        {
          shown: { body: 'Nouvel épisode\u00A0: saison 1, épisode 2' },
          tag: `series-${seriesId}-${scene.actor.profileId}`,
          path: `/content/episode-2-${id}`,
        },
      ])
      await episode(3)
      await episode(4)
      await look()
      expect(browser.messages[1]).toMatchObject({
        shown: { body: '2 nouveaux épisodes' },
        path: expect.stringMatching(new RegExp(`^/series/le-metier-.*-${seriesId}/details$`)),
      })
      expect(browser.messages).toHaveLength(2)
    })

    it('do not replace the message to another profile of the same browser', async () => {
      const browser = await subscribed()
      const alix = { name: 'Alix', language: 'fra', kidProfile: false, parentalControl: false } as const
      const made = { ...alix, maximumMoralityLevel: 0 }
      const idProfile = (await scene.service.call(createProfile, made, scene.actor.tokens)).result.id
      const { profileToken } = (await scene.service.call(activateProfile, { idProfile }, scene.actor.tokens))
        .result
      const other = { ...scene.actor, tokens: { ...scene.actor.tokens, 'x-profile-token': profileToken } }
      const shared = await scene.service.call(
        subscribePush,
        { ...browser.fields, parentalProof: undefined },
        { ...other.tokens, ...device },
      )
      expect(shared.status).toBe(200)
      await keep()
      await keep(other)
      await look()
      await episode(2)
      await look()
      expect(browser.messages.map(({ tag }) => tag).toSorted()).toEqual(
        [scene.actor.profileId, idProfile].map((id) => `series-${seriesId}-${id}`).toSorted(),
      )
    })

    it('in one file are announced with all their numbers', async () => {
      const browser = await subscribed()
      await keep()
      await look()
      await episode(2, { lastEpisodeNumber: 3 })
      await look()
      expect(browser.messages).toMatchObject([
        { shown: { body: 'Nouveaux épisodes\u00A0: saison 1, épisodes 2–3' } },
      ])
    })

    it('are announced when they can be watched, and not again after they were withdrawn', async () => {
      const browser = await subscribed()
      await keep()
      const { id } = await episode(2, { validFrom: NOON + 3600_000 })
      await look()
      expect(browser.messages).toEqual([])
      at(NOON + 3600_000)
      await look()
      expect(browser.messages).toHaveLength(1)
      const { db } = scene.service.context
      for (const availability of ['withdrawn', 'ready'] as const) {
        await db.update(assets).set({ availability }).where(eq(assets.id, id))
        await look()
      }
      expect(browser.messages).toHaveLength(1)
    })

    it('are not announced to later followers, nor after a time without followers', async () => {
      const browser = await subscribed()
      await keep()
      await look()
      await episode(2)
      const { db } = scene.service.context
      await db.delete(favourites).where(eq(favourites.profileId, scene.actor.profileId))
      await look()
      expect(await db.$count(announcedSeries, eq(announcedSeries.categoryId, seriesId))).toBe(0)
      await keep()
      await look()
      expect(browser.messages).toEqual([])
    })

    it('of a time when notifications were off are not announced later', async () => {
      const browser = await subscribed()
      await keep()
      await look()
      const { undo } = await changeConfigurationOf(scene.service, { 'accounts.pushEnabled': false })
      await episode(2)
      await look()
      await undo()
      await look()
      expect(browser.messages).toEqual([])
      await episode(3)
      await look()
      expect(browser.messages).toMatchObject([
        { shown: { body: 'Nouvel épisode\u00A0: saison 1, épisode 3' } },
      ])
    })

    it('of a series with many followers are queued in slices', async () => {
      const { db } = scene.service.context
      const { account, profileId } = scene.actor
      const count = 1200
      const many = await db
        .insert(devices)
        .values(
          Array.from({ length: count }, (_, index) => ({
            accountId: account.id,
            uniqueId: `browser-of-many-${index}`,
            name: 'Chrome',
            type: 'device_pc_linux' as const,
            lastLoginAt: NOON,
          })),
        )
        .returning({ deviceId: devices.id })
      await db.insert(pushSubscriptions).values(
        many.map(({ deviceId }) => ({
          accountId: account.id,
          profileId,
          deviceId,
          endpoint: `https://push.example.org/${deviceId}`,
          publicKey: '',
          secret: '',
        })),
      )
      await keep()
      const sizes: number[] = []
      const lookAtOnce = async () =>
        await announceEpisodes(
          db,
          NOON,
          async (all) => {
            const own = all.filter(({ about }) => about.kind === 'episodes' && about.categoryId === seriesId)
            sizes.push(own.length)
          },
          new AbortController().signal,
        )
      await lookAtOnce()
      await episode(2)
      await lookAtOnce()
      await db.delete(devices).where(
        inArray(
          devices.id,
          many.map(({ deviceId }) => deviceId),
        ),
      )
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
    })

    it('above the level of a child are not announced to it', async () => {
      const browser = await subscribed()
      await changeProfile({ kid: true, maximumMoralityLevel: 2 })
      await keep()
      await look()
      await episode(2, { moralityLevel: 5 })
      await look()
      expect(browser.messages).toEqual([])
      await episode(3)
      await episode(4, { adult: true })
      await look()
      expect(browser.messages).toMatchObject([
        { shown: { body: 'Nouvel épisode\u00A0: saison 1, épisode 3' } },
      ])
    })
  })

  it.each([404, 410])(
    'a subscription that the push service answers with %i gets no messages until it is replaced',
    async (status) => {
      const { db } = scene.service.context
      const browser = await subscribed()
      const signedIn = await scene.signedIn(scene.actor.account.email)
      const elsewhere = { ...scene.actor, tokens: { ...scene.actor.tokens, ...signedIn } }
      const lost = await subscribed(elsewhere, await registered(elsewhere))
      pushService.fault = status
      await recorded()
      expect(await isOn(browser)).toBe(false)
      pushService.fault = undefined
      const asked = pushService.requests.length
      // The browser learns of the end later than the service, and subscribes again.
      const after = pushService.subscribe(browser.serverKey)
      expect((await renewed(after)).result).toEqual({ isUsed: true })
      expect(await isOn(after)).toBe(true)
      await recorded()
      expect(pushService.requests).toHaveLength(asked + 1)
      expect(after.messages).toHaveLength(1)

      // A browser that never comes back leaves nothing.
      const kept = async () =>
        await db.$count(pushSubscriptions, eq(pushSubscriptions.endpoint, lost.endpoint))
      expect(await kept()).toBe(1)
      await db
        .update(pushSubscriptions)
        .set({ endedAt: NOON })
        .where(eq(pushSubscriptions.endpoint, lost.endpoint))
      await endEndpoint(db, 'https://push.test/other', NOON + 31 * 86_400_000)
      expect(await kept()).toBe(0)
    },
  )

  it.each([429, 503])('after the status %i, a message is sent again later', async (status) => {
    const browser = await subscribed()
    pushService.fault = status
    const { over } = await planned()
    await tendRecordings({ ...parts(), onSettling: announcerOf(scene.service.context) }, over)
    await expect.poll(async () => await jobs(sql`state = 'retry'`), { timeout: 20_000 }).toBe(1)
    expect(await isOn(browser)).toBe(true)
    pushService.fault = undefined
    await scene.service.context.db.execute(sql`update jobs.job set start_after = now() where state = 'retry'`)
    await settled()
    expect(browser.messages).toHaveLength(1)
  })

  it('messages about recordings do not wait for those about a popular series', async () => {
    await subscribed()
    pushService.fault = 503
    const { over } = await planned()
    await tendRecordings({ ...parts(), onSettling: announcerOf(scene.service.context) }, over)
    const { db } = scene.service.context
    const waiting = async () =>
      await rowsOf<{ priority: number }>(
        db,
        sql`select priority from jobs.job where name = 'push-send' and state = 'retry'`,
      )
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([{ priority: 1 }])
    pushService.fault = undefined
    await db.execute(sql`update jobs.job set start_after = now() where state = 'retry'`)
    await settled()
  })

  it('finished jobs are forgotten soon, because a popular series makes very many', async () => {
    const kinds = await rowsOf<{ seconds: number }>(
      scene.service.context.db,
      sql`select deletion_seconds as seconds from jobs.queue where name in ('push-send', 'push-recorded')`,
    )
    expect(kinds).toEqual([{ seconds: 3600 }, { seconds: 3600 }])
  })

  it('a message that the push service refuses is dropped, and the subscription stays', async () => {
    const browser = await subscribed()
    pushService.fault = 413
    await recorded()
    expect(await isOn(browser)).toBe(true)
  })

  it('settles recordings while the queue fails', async () => {
    await subscribed()
    const { context } = scene.service
    const failing = {
      ...context,
      jobs: { ...context.jobs, send: async () => await Promise.reject(new Error('no queue')) },
    }
    const { id, over } = await planned()
    await tendRecordings({ ...parts(), onSettling: announcerOf(failing) }, over)
    const [row] = await rowsOf<{ settled: boolean }>(
      context.db,
      sql`select p.settled_at is not null as settled from recordings r
        join recorded_programmes p on p.id = r.recorded_programme_id where r.id = ${id}`,
    )
    expect(row?.settled).toBe(true)
  })

  it('switches off again, for this profile only', async () => {
    const browser = await subscribed()
    expect(await isOn(browser)).toBe(true)
    const off = async () =>
      await scene.service.call(unsubscribePush, { endpoint: browser.endpoint }, scene.actor.tokens)
    expect((await off()).result).toEqual({ isUsedByOthers: false })
    expect((await off()).status).toBe(200)
    expect(await isOn(browser)).toBe(false)
    await recorded()
    expect(browser.messages).toEqual([])
  })

  /** Creates another profile of the actor's account, and returns the actor with this profile. */
  async function otherProfile(): Promise<Actor> {
    const grownUp = { name: 'Nour', language: 'fra', kidProfile: false, parentalControl: false } as const
    const { tokens } = scene.actor
    const { id } = (await scene.service.call(createProfile, { ...grownUp, maximumMoralityLevel: 0 }, tokens))
      .result
    const { profileToken } = (await scene.service.call(activateProfile, { idProfile: id }, tokens)).result
    return { ...scene.actor, tokens: { ...tokens, 'x-profile-token': profileToken } }
  }

  it('a browser that subscribes anew for one profile goes on for the others, on this device only', async () => {
    const other = await otherProfile()
    const before = await subscribed()
    const input = { ...before.fields, parentalProof: undefined }
    expect((await scene.service.call(subscribePush, input, { ...other.tokens, ...device })).status).toBe(200)
    const signedIn = await scene.signedIn(scene.actor.account.email)
    const elsewhere = { ...scene.actor, tokens: { ...scene.actor.tokens, ...signedIn } }
    const ownElsewhere = await registered(elsewhere)
    const browserElsewhere = await subscribed(elsewhere, ownElsewhere)
    pushService.unsubscribe(before)
    // A message that meets the end of the subscription ends it for all its profiles.
    await recorded()
    expect(await isOn(before)).toBe(false)

    const after = await subscribed(other)
    expect(await isOn(after, other)).toBe(true)
    expect(await isOn(after)).toBe(true)
    expect(await isOn(browserElsewhere, elsewhere, ownElsewhere)).toBe(true)
    await recorded()
    expect([before, after, browserElsewhere].map(({ messages }) => messages.length)).toEqual([0, 1, 2])
  })

  it('a new subscription leaves those alone that have waited too long for it', async () => {
    const { db } = scene.service.context
    const other = await otherProfile()
    const before = await subscribed()
    await db
      .update(pushSubscriptions)
      .set({ endedAt: NOON - 31 * 86_400_000 })
      .where(eq(pushSubscriptions.endpoint, before.endpoint))
    const renewing = pushService.subscribe(before.serverKey)
    expect((await renewed(renewing)).result).toEqual({ isUsed: false })
    const after = await subscribed(other)
    expect(await isOn(after, other)).toBe(true)
    expect(await isOn(after)).toBe(false)
  })

  it('a subscription that the browser replaces goes on for all profiles in this browser', async () => {
    const { tokens } = scene.actor
    const other = await otherProfile()
    const before = await subscribed()
    const input = { ...before.fields, parentalProof: undefined }
    expect((await scene.service.call(subscribePush, input, { ...other.tokens, ...device })).status).toBe(200)
    const signedIn = await scene.signedIn(scene.actor.account.email)
    const elsewhere = { ...scene.actor, tokens: { ...tokens, ...signedIn } }
    const ownElsewhere = await registered(elsewhere)
    const browserElsewhere = await subscribed(elsewhere, ownElsewhere)

    pushService.unsubscribe(before)
    const after = pushService.subscribe(before.serverKey)
    // The service worker sends only the account's token, because it does not know which profile watches.
    const { 'x-profile-token': _profile, ...ofAccount } = tokens
    expect((await renewed(after, { ...scene.actor, tokens: ofAccount })).result).toEqual({ isUsed: true })
    expect(await isOn(before)).toBe(false)
    expect(await isOn(after)).toBe(true)
    expect(await isOn(after, other)).toBe(true)
    expect(await isOn(browserElsewhere, elsewhere, ownElsewhere)).toBe(true)
    await recorded()
    expect([before, after, browserElsewhere].map(({ messages }) => messages.length)).toEqual([0, 1, 1])
  })

  it('a replaced subscription switches nothing on: no profile uses it where notifications were off, on no device of the account, or while the operator does not offer them', async () => {
    const browser = pushService.subscribe('')
    expect((await renewed(browser)).result).toEqual({ isUsed: false })
    expect(await isOn(browser)).toBe(false)
    const before = await subscribed()
    const other = await scene.make.actor()
    expect((await renewed(browser, scene.actor, await registered(other))).result).toEqual({ isUsed: false })
    const { undo } = await changeConfigurationOf(scene.service, { 'accounts.pushEnabled': false })
    expect((await renewed(browser)).result).toEqual({ isUsed: false })
    await undo()
    expect((await scene.service.call(renewPush, browser.fields, device)).error.code).toBe(-1)
    expect(await isOn(before)).toBe(true)
  })

  it('another account that subscribes in the same browser takes the subscription over', async () => {
    const browser = await subscribed()
    const other = await scene.make.actor()
    const input = { ...browser.fields, parentalProof: undefined }
    const own = await registered(other)
    expect((await scene.service.call(subscribePush, input, { ...other.tokens, ...own })).status).toBe(200)
    expect(await isOn(browser)).toBe(false)
    expect(await isOn(browser, other, own)).toBe(true)
  })

  it('a browser that has lost its device id gets each message once', async () => {
    const browser = await subscribed()
    const tokens = await scene.signedIn(scene.actor.account.email)
    const again = { ...scene.actor, tokens: { ...scene.actor.tokens, ...tokens } }
    const own = await registered(again)
    const input = { ...browser.fields, parentalProof: undefined }
    expect((await scene.service.call(subscribePush, input, { ...again.tokens, ...own })).status).toBe(200)
    await recorded()
    expect(browser.messages).toHaveLength(1)
  })

  it('subscriptions end with the sign-in, the device, the profile and the account', async () => {
    const { db } = scene.service.context
    const count = async () =>
      await db.$count(pushSubscriptions, eq(pushSubscriptions.accountId, scene.actor.account.id))
    await subscribed()
    await scene.service.call(logout, {}, { ...scene.actor.tokens, ...device })
    expect(await count()).toBe(0)

    const { account } = scene.actor
    scene.service.clock.advance(2000)
    const tokens = await scene.signedIn(account.email)
    const again: Actor = { ...scene.actor, tokens: { ...scene.actor.tokens, ...tokens } }
    await subscribed(again, await registered(again))
    const [own] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.accountId, account.id))
    const removed = { casDeviceId: own?.deviceId, parentalProof: undefined }
    expect((await scene.service.call(casRemoveDevice, removed, again.tokens)).status).toBe(200)
    expect(await count()).toBe(0)

    // The removal of its device has ended the sign-in, so the actor signs in again.
    const last: Actor = { ...again, tokens: { ...again.tokens, ...(await scene.signedIn(account.email)) } }
    await subscribed(last, await registered(last))
    const closed = await scene.service.call(anonymizeMe, { parentalProof: undefined }, last.tokens)
    expect(closed.status).toBe(200)
    expect(await count()).toBe(0)
  })

  it('a device whose sign-in ended with a new password gets nothing', async () => {
    const browser = await subscribed()
    scene.service.clock.advance(60_000)
    const tokens = await scene.signedIn(scene.actor.account.email)
    const changed = await scene.service.call(
      updatePassword,
      {
        currentPassword: 'Ondine-2026!',
        password: 'Ondine-2027!',
        passwordConfirm: 'Ondine-2027!',
        parentalProof: undefined,
      },
      tokens,
    )
    expect(changed.status).toBe(200)
    const actor = {
      ...scene.actor,
      tokens: { ...scene.actor.tokens, ...(await scene.signedIn(scene.actor.account.email, 'Ondine-2027!')) },
    }
    scene.actor = actor
    await recorded()
    expect(browser.messages).toEqual([])
  })

  it.each([
    ['http://push.example.org/1'],
    ['http://tuner.lan/1'],
    ['https://10.0.0.1/1'],
    ['https://10.20.0.5/1'],
    ['https://localhost/1'],
    ['https://[::ffff:127.0.0.2]/1'],
    ['https://user:word@push.example.org/1'],
    ['ftp://push.example.org/1'],
    ['push'],
  ])('refuses the address %s', async (endpoint) => {
    const browser = pushService.subscribe('')
    const fields = { ...browser.fields, endpoint }
    const tokens = { ...scene.actor.tokens, ...device }
    const answers = [
      await scene.service.call(subscribePush, { ...fields, parentalProof: undefined }, tokens),
      await scene.service.call(renewPush, fields, tokens),
    ]
    for (const { status, error } of answers) {
      expect(status).toBe(400)
      expect(error.details?.fields?.map(({ field }) => field)).toEqual(['endpoint'])
    }
  })

  it.each([
    ['publicKey', `B${'A'.repeat(86)}`],
    ['publicKey', 'short'],
    ['secret', 'short'],
  ])('refuses the %s %s', async (field, value) => {
    const input = { ...pushService.subscribe('').fields, parentalProof: undefined, [field]: value }
    const { status, error } = await scene.service.call(subscribePush, input, {
      ...scene.actor.tokens,
      ...device,
    })
    expect(status).toBe(400)
    expect(error.details?.fields?.map((fault) => fault.field)).toEqual([field])
  })

  it('refuses a browser that is no device of the account, a child without the code, and everybody if notifications are off', async () => {
    const input = { ...pushService.subscribe('').fields, parentalProof: undefined }
    const ask = async (tokens: Record<string, string>) =>
      (await scene.service.call(subscribePush, input, tokens)).error.code
    expect(await ask(scene.actor.tokens)).toBe(-404)
    const other = await scene.make.actor()
    expect(await ask({ ...scene.actor.tokens, ...(await registered(other)) })).toBe(-404)
    const child = await scene.make.actor({ profile: { kid: true } })
    expect(await ask(child.tokens)).toBe(-1612)
    const { undo } = await changeConfigurationOf(scene.service, { 'accounts.pushEnabled': false })
    expect(await ask({ ...scene.actor.tokens, ...device })).toBe(-404)
    expect((await state()).error.code).toBe(-404)
    await undo()
  })

  it('an address that leads into a private network later is not called, and its subscription is deleted', async () => {
    const browser = await subscribed()
    const { db } = scene.service.context
    await db
      .update(pushSubscriptions)
      .set({ endpoint: 'https://127.0.0.2/send' })
      .where(eq(pushSubscriptions.endpoint, browser.endpoint))
    await recorded()
    const left = await db.$count(pushSubscriptions, eq(pushSubscriptions.profileId, scene.actor.profileId))
    expect(left).toBe(0)
  })

  it('all processes have the same key, which stays the same', async () => {
    const { db } = scene.service.context
    const { publicKey } = (await state()).result
    expect((await pushKeysOf(db)()).publicKey).toBe(publicKey)
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
  })
})

describe.each(MAIN_DB)('an address in a network of OUTBOUND_ALLOW, on %s', (kind) => {
  const { scene, programme, record, parts, at } = recordingScene(kind, SETTINGS)

  it('is not called, and its subscription is deleted', async () => {
    const { context } = scene.service
    const { db } = context
    await changeConfigurationOf(scene.service, { 'accounts.pushEnabled': true })
    await startPushJobs(context, pushKeysOf(db))
    const asked = { deviceUniqueId: 'browser-of-the-tests', parentalProof: undefined }
    const { deviceAuthToken } = (await scene.service.call(casAddDevice, asked, scene.actor.tokens)).result
    const tokens = { ...scene.actor.tokens, 'x-device-token': deviceAuthToken }
    const { publicKey } = (await scene.service.call(pushState, {}, tokens)).result
    const { fields } = pushService.subscribe(publicKey)
    const { status } = await scene.service.call(
      subscribePush,
      { ...fields, parentalProof: undefined },
      tokens,
    )
    expect(status).toBe(200)
    await db.update(pushSubscriptions).set({ endpoint: `${pushService.loopback}/send/private` })
    const wanted = await programme('La Houle', 1)
    await record(wanted, scene.actor)
    at((wanted.endutc + 3600) * 1000)
    await tendRecordings({ ...parts(), onSettling: announcerOf(context) }, scene.service.clock.now())
    await expect.poll(async () => await db.$count(pushSubscriptions)).toBe(0)
    expect(pushService.requests).not.toContain('/send/private')
  })
})

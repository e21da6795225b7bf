import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import { heartbeat } from '@ondine/contract/playback'
import {
  changeRecording,
  createRecording,
  listRecordings,
  playRecording,
  removeRecording,
} from '@ondine/contract/recordings'
import { slugWithId } from '@ondine/contract/slugs'
import { ROUTES } from '@ondine/web/routes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, findChannel } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { callAs, type Viewer } from './viewers.ts'
import { visit } from './visit.ts'

describe('recordings', () => {
  const { origin } = sharedService()
  const subscriber = { viewer: 'subscriber' } as const
  let programmes: Programme[]

  beforeEach(async () => {
    const { idChannel } = await findChannel(origin, 'Rive')
    const guide = await call(origin, epg, { offset: 0, hours: 24 })
    // Puts the programmes of Rive first, and then all programmes. At some hours, all programmes of Rive are above
    // a child's level.
    programmes = [...(guide[`chan_${idChannel}`] ?? []), ...Object.values(guide).flat()]
  })
  afterEach(async () => {
    // The first call only stops a running recording.
    for (const viewer of ['subscriber', 'subscriber', 'child', 'child'] as const)
      for (const { id } of (await callAs(viewer, listRecordings, {})).records)
        await callAs(viewer, removeRecording, { id, intent: 'delete' })
  })

  /** Records a programme that has not begun, with a level of at most `level`. */
  async function recordLater(viewer: Viewer, level = 6): Promise<Programme> {
    const later = programmes.find(
      ({ startutc, rating }) => startutc * 1000 > Date.now() + 120_000 && rating <= level,
    )
    if (!later) throw new Error('Nothing suitable is on later today.')
    await callAs(viewer, createRecording, { idEvent: later.id, idChannel: later.id_channel })
    return later
  }
  const pageOf = ({ title, id }: Programme) => `/epg/${slugWithId(title, id)}`

  it.each([
    ['fra', 'Enregistrements programmés', 'Enregistrements', /^Espace libre : .+ sur 50 h$/],
    ['eng', 'Scheduled recordings', 'Recordings', /of 50 h left/],
  ])(
    'A2.1-30 A2.1-31 A2.4-01 A6-10 the library has both lists, with the recording time, in %s',
    async (language, scheduled, completed, quota) => {
      await recordLater('subscriber')
      const planned = await visit(ROUTES['library-scheduled-records'], { ...subscriber, language })
      expect([planned.status, planned.heading]).toEqual([200, scheduled])
      expect(planned.main.getAllByRole('heading', { level: 2 })).toHaveLength(1)
      planned.main.getByText(quota)
      planned.main.getByRole('link', { name: completed })
      const done = await visit(ROUTES['library-completed-records'], { ...subscriber, language })
      expect([done.status, done.heading]).toEqual([200, completed])
      expect(done.main.queryByRole('heading', { level: 2 })).toBeNull()
      done.main.getByRole('link', { name: language === 'fra' ? 'Ouvrir le guide' : 'Open the guide' })
    },
  )

  it('A2.4-03 A4.2-04 a planned recording is cancelled, a running one is played and stopped', async () => {
    const later = await recordLater('subscriber')
    const now = programmes.find(({ endutc }) => endutc * 1000 > Date.now() + 60_000)
    if (!now) throw new Error('Nothing is on.')
    await callAs('subscriber', createRecording, { idEvent: now.id, idChannel: now.id_channel })
    const page = await visit(ROUTES['library-scheduled-records'], subscriber)
    // The button's name also contains the time if two programmes have this title.
    page.main.getByRole('button', { name: new RegExp(`^Annuler l’enregistrement\\s: ${later.title}`) })
    page.main.getByRole('button', { name: new RegExp(`^Arrêter l’enregistrement\\s: ${now.title}`) })
    const links = page.main.getAllByRole('link', { name: /^Lire / })
    expect(links).toHaveLength(1)
    expect(links[0]?.getAttribute('href')).toMatch(/^\/player\?recording=\d+&t=0$/)
  })

  it('the page of a programme offers to record it to viewers of its channel, and says when it is recorded', async () => {
    const later = await recordLater('subscriber')
    ;(await visit(pageOf(later), subscriber)).main.getByRole('button', { name: 'Annuler l’enregistrement' })
    const other = programmes.find(({ id, startutc }) => id !== later.id && startutc * 1000 > Date.now())
    if (!other) throw new Error('Nothing else is on later.')
    ;(await visit(pageOf(other), subscriber)).main.getByRole('button', { name: 'Enregistrer' })
    for (const viewer of ['renter', undefined] as const) {
      const page = await visit(pageOf(other), viewer === undefined ? {} : { viewer })
      expect(page.main.queryByRole('button', { name: /^Enregistrer/ })).toBeNull()
    }
  })

  it('A2.4-03 a recording that was stopped can be taken up again while its programme is on', async () => {
    const now = programmes.find(
      ({ startutc, endutc }) => startutc * 1000 < Date.now() && endutc * 1000 > Date.now() + 60_000,
    )
    if (!now) throw new Error('Nothing is on.')
    const { id } = await callAs('subscriber', createRecording, { idEvent: now.id, idChannel: now.id_channel })
    await callAs('subscriber', removeRecording, { id, intent: 'end' })
    ;(await visit(pageOf(now), subscriber)).main.getByRole('button', { name: 'Enregistrer' })
    const library = await visit(ROUTES['library-completed-records'], subscriber)
    library.main.getByRole('button', { name: `Enregistrer ${now.title}` })
    await callAs('subscriber', createRecording, { idEvent: now.id, idChannel: now.id_channel })
    ;(await visit(pageOf(now), subscriber)).main.getByRole('button', { name: 'Arrêter l’enregistrement' })
  })

  it('the page of a channel offers its viewers a button that records the running programme', async () => {
    const { detailRoute } = await findChannel(origin, 'Rive')
    const button = async (viewer: Viewer) =>
      (await visit(detailRoute, { viewer })).main.queryByRole('button', { name: /^(Enregistr[eé]|Arrêter)/ })
    expect(await button('subscriber')).not.toBeNull()
    expect(await button('renter')).toBeNull()
  })

  it('A6-10 a record button is described by the time that is left', async () => {
    const later = programmes.find(({ startutc }) => startutc * 1000 > Date.now() + 120_000)
    if (!later) throw new Error('Nothing is on later today.')
    const { main } = await visit(pageOf(later), subscriber)
    const button = main.getByRole('button', { name: 'Enregistrer' })
    const note = button.querySelector(`[id="${button.getAttribute('aria-describedby')}"]`)
    expect(note?.textContent).toMatch(/^Il reste .+ sur 50 h\.$/)
  })

  it('A6-10 19.4 beside a record button are the times that are left, used and planned, before and after the press', async () => {
    const later = programmes.find(({ startutc }) => startutc * 1000 > Date.now() + 120_000)
    if (!later) throw new Error('Nothing is on later today.')
    const note = async () =>
      (await visit(pageOf(later), subscriber)).main.getByText(/^Espace d’enregistrement/).textContent
    const before = await note()
    expect(before).toMatch(/^Espace d’enregistrement libre : .+ sur 50 h/)
    const { id } = await callAs('subscriber', createRecording, {
      idEvent: later.id,
      idChannel: later.id_channel,
    })
    expect(await note()).toMatch(/^Espace d’enregistrement libre : .+ sur 50 h.* · Programmé : /)
    await callAs('subscriber', removeRecording, { id, intent: 'delete' })
    expect(await note()).toBe(before)
  })

  it('V4-47 V4-49 a recording in progress and a favourite one are on home and on the screens of the account', async () => {
    const now = programmes.find(
      ({ startutc, endutc }) => startutc * 1000 < Date.now() && endutc * 1000 > Date.now() + 60_000,
    )
    if (!now) throw new Error('Nothing is on.')
    const { id } = await callAs('subscriber', createRecording, { idEvent: now.id, idChannel: now.id_channel })
    await callAs('subscriber', changeRecording, { id, isFavorite: true })
    const { session, seek, duration } = await callAs('subscriber', playRecording, {
      id,
      x: 'start',
      format: 'hls',
    })
    await callAs('subscriber', heartbeat, { session, position: seek + duration / 2, event: 'close' })
    const home = await visit(ROUTES.home, subscriber)
    const begun = await visit(ROUTES['account-continue'], subscriber)
    const favourites = await visit(ROUTES['account-favorites'], subscriber)
    const named = now.title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const removeBegun = { name: new RegExp(`^Retirer ${named}.* de « Reprendre »$`) }
    const removeFavourite = { name: new RegExp(`^Retirer ${named}.* de ma liste$`) }
    for (const [page, button] of [
      [home, removeBegun],
      [home, removeFavourite],
      [begun, removeBegun],
      [favourites, removeFavourite],
    ] as const) {
      const card = page.main.getByRole('button', button).closest('li')
      expect(card?.querySelector('a')?.getAttribute('href')).toBe(`/player?recording=${id}`)
    }
    for (const page of [begun, favourites])
      page.main.getByRole('heading', { level: 2, name: 'Enregistrements' })
  })

  it('a child has its own recordings, and nothing else of the library', async () => {
    const later = await recordLater('child', 2)
    const child = { viewer: 'child' } as const
    const own = await visit(ROUTES['library-scheduled-records'], child)
    own.main.getByRole('heading', { level: 2, name: later.title })
    expect(own.main.queryByRole('link', { name: 'Locations' })).toBeNull()
    const parents = await visit(ROUTES['library-scheduled-records'], subscriber)
    expect(parents.main.queryByRole('heading', { level: 2, name: later.title })).toBeNull()
  })

  it('a visitor signs in first', async () => {
    const page = await visit(ROUTES['library-completed-records'])
    expect(page.address).toContain(ROUTES['auth-login'])
  })
})

import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import { createRecording, listRecordings, removeRecording } from '@ondine/contract/recordings'
import { slugWithId } from '@ondine/contract/slugs'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { callAs, inNewProfile } from './people.ts'
import { videoState } from './screen.ts'
import { call, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Time limit for playback on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 250 }

describe('recordings', () => {
  const open = testBrowser()
  const { origin } = sharedService()

  /** Returns the current programme of Rive, and the one after it. */
  async function programmes(): Promise<[now: Programme, later: Programme]> {
    const { idChannel } = await findChannel(origin, 'Rive')
    const guide = await call(origin, epg, { offset: 0, hours: 24, channelIds: [idChannel] })
    const coming = (guide[`chan_${idChannel}`] ?? []).filter(
      ({ endutc }) => endutc * 1000 > Date.now() + 60_000,
    )
    const [now, later] = coming
    if (!now || !later) throw new Error('Rive has no two programmes.')
    return [now, later]
  }

  it('A2.4-03 a programme is recorded from its page, and undone from the library', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [, later] = await programmes()
      const main = page.getByRole('main')
      await visit(page, `/epg/${slugWithId(later.title, later.id)}`)
      await main.getByRole('button', { name: 'Enregistrer', exact: true }).click()
      await main.getByRole('button', { name: 'Annuler l’enregistrement' }).waitFor()
      await visit(page, '/library/scheduled-records')
      await main.getByRole('button', { name: `Annuler l’enregistrement de ${later.title}` }).click()
      await main.getByText('Aucun enregistrement programmé.').waitFor()
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await main.getByRole('heading', { level: 3, name: later.title }).waitFor()
      expect(complaints).toEqual([])
    })
  })

  it('A2.4-03 the button of a finished recording leads to it, and does not delete it', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const { idChannel } = await findChannel(origin, 'Rive')
      const start = Math.floor(Date.now() / 1000) - 6 * 3600
      const guide = await call(origin, epg, { start, offset: 0, hours: 6, channelIds: [idChannel] })
      const past = (guide[`chan_${idChannel}`] ?? []).findLast(
        ({ endutc }) => endutc * 1000 < Date.now() - 6 * 60_000,
      )
      if (!past) throw new Error('Nothing is over on Rive.')
      await callAs(page, createRecording, { idEvent: past.id, idChannel })
      const main = page.getByRole('main')
      await visit(page, `/epg/${slugWithId(past.title, past.id)}`)
      await main.getByRole('button', { name: 'Enregistré', exact: true }).click()
      await page.waitForURL('**/library/completed-records')
      // Not its heading: while the library loads, the page before still shows that of each showing.
      await main.getByRole('link', { name: `Lire ${past.title}` }).waitFor()
      expect((await callAs(page, listRecordings, {})).count).toBe(1)
      expect(complaints).toEqual([])
    })
  })

  it('A7.3-13 a running recording plays from the beginning of its programme, and goes on where it was left', async () => {
    const { page, complaints } = await open()
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const [now] = await programmes()
      const { id } = await callAs(page, createRecording, { idEvent: now.id, idChannel: now.id_channel })
      await visit(page, '/library/scheduled-records')
      await page
        .getByRole('main')
        .getByRole('link', { name: `Lire ${now.title}` })
        .click()
      // The position alone says nothing: it is that of the seek before anything plays.
      await expect.poll(async () => (await videoState(page)).frames, PATIENCE).toBeGreaterThan(0)
      await page.goBack()
      const watched = async () =>
        (await callAs(page, listRecordings, {})).records.find((each) => each.id === id)?.position ?? 0
      await expect.poll(watched, PATIENCE).toBeGreaterThan(1)
      await page
        .getByRole('main')
        .getByRole('link', { name: `Reprendre ${now.title}` })
        .waitFor()
      await callAs(page, removeRecording, { id })
      expect(complaints).toEqual([])
    })
  })
})

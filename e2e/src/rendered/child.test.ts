import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentData, hierarchy } from '@ondine/contract/catalogue'
import { epg } from '@ondine/contract/channels'
import { ROUTES } from '@ondine/web/routes'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../operator.ts'
import { call, findAsset, findChannel } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { visit } from './visit.ts'

/** A programme without a rating, which counts as the least suitable for children. */
const UNRATED = 'Pour les grands'

describe('the pages of a child', () => {
  const { origin, dataDir } = sharedService()

  /** Imports a channel whose guide announces a programme without a rating. */
  async function announceUnrated(folder: string): Promise<void> {
    const list = join(folder, 'unrated.m3u')
    await writeFile(
      list,
      '#EXTM3U\n#EXTINF:-1 tvg-id="unrated",Canal des grands\nhttp://127.0.0.1:9/unrated.m3u8\n',
    )
    await runCommand(dataDir, 'channels import', [list], { name: 'unrated' })
    const at = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().replaceAll(/[-:T]|\..*/g, '')
    const guide = join(folder, 'unrated.xml')
    await writeFile(
      guide,
      `<tv><programme channel="unrated" start="${at(-1)} +0000" stop="${at(1)} +0000"><title>${UNRATED}</title></programme></tv>`,
    )
    await runCommand(dataDir, 'guide import', [guide], { name: 'unrated' })
  }
  const lou = { viewer: 'child' } as const

  it.each([
    ['fra', 'Coucou Lou !', 'Des films pour toi'],
    ['eng', 'Hi Lou!', 'Films for you'],
  ])('V3-32 home comes from the server with the greeting, in %s', async (language, greeting, rail) => {
    const page = await visit('/', { ...lou, language })
    expect(page.heading).toBe(greeting)
    page.main.getByRole('heading', { level: 2, name: rail })
  })

  it('V3-32 home of a visitor has no greeting', async () => {
    const page = await visit('/')
    expect(page.heading).toContain('Accueil')
    expect(page.html).not.toContain('Coucou')
  })

  it('A6-05 a title above the child’s level is a friendly page without its data', async () => {
    const channel = await findChannel(origin, 'Onde 4')
    const lcn = String(channel.item.lcn)
    await runCommand(dataDir, 'channels set', [lcn], { level: '5' })
    const folder = await mkdtemp(join(tmpdir(), 'ondine-child-'))
    try {
      await announceUnrated(folder)
      const series = (await call(origin, hierarchy, {}))
        .flatMap(({ categories }) => categories)
        .find(({ name }) => name === 'Le Métier')
      const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
      const guide = Object.values(await call(origin, epg, { offset: 0, hours: 2 })).flat()
      const programme = guide.find(({ title }) => title === UNRATED)
      if (!programme) throw new Error('The guide lacks the programme without a rating.')
      const { content } = await call(origin, contentData, { idAsset: episode.id, idCategory: undefined })
      const asset = content.type === 'asset' ? content.payload : undefined
      const secrets = [asset?.title, asset?.description, series?.name, series?.synopsis, programme.title]
      // The URLs contain no titles, so a title in the page can only come from the service.
      for (const [address, title] of [
        [`/content/${episode.id}`, 'Cette vidéo n’est pas encore pour toi'],
        [`/series/${series?.idCatalog}/details`, 'Cette série n’est pas encore pour toi'],
        [`/category/${series?.idCatalog}`, 'Cette série n’est pas encore pour toi'],
        [`/series/${series?.idCatalog}`, 'Cette série n’est pas encore pour toi'],
        [`/epg/${programme.id}`, 'Cette émission n’est pas encore pour toi'],
        [`/channel/${channel.idChannel}`, 'Cette chaîne n’est pas encore pour toi'],
        [`/channel/${channel.idChannel}/epg`, 'Cette chaîne n’est pas encore pour toi'],
      ] as const) {
        const page = await visit(address, lou)
        expect([address, page.status, page.heading]).toEqual([address, 404, title])
        expect(page.title, address).toContain(title)
        for (const secret of secrets) {
          expect(secret, address).toBeTruthy()
          expect(page.html, address).not.toContain(secret)
        }
        expect(page.document.querySelector('main img'), address).toBeNull()
      }
    } finally {
      await runCommand(dataDir, 'channels set', [lcn], { level: String(channel.moralityLevel) })
      await runCommand(dataDir, 'channels unset', [lcn])
      await runCommand(dataDir, 'guide sources remove', ['unrated']).catch(() => undefined)
      await runCommand(dataDir, 'channels lists remove', ['unrated']).catch(() => undefined)
      await rm(folder, { recursive: true })
    }
  })

  it.each(['/nothing/here', '/content/nothing-2147483647'])(
    'V2.1-27 the unknown address %s is a 404 with a search, in words for a child',
    async (address) => {
      const page = await visit(address, lou)
      expect([page.status, page.heading]).toEqual([404, 'Page introuvable'])
      page.main.getByText(/Cherche ce que tu veux regarder/)
      expect(page.main.getAllByRole('searchbox')).toHaveLength(1)
      expect(page.queryByRole('button', { name: 'Demander à un adulte' })).toBeNull()
      page.getByRole('link', { name: 'Retour à l’accueil' })
    },
  )

  it.each(['account-security', 'account-informations', 'account-devices'] as const)(
    'A2.1-32 %s asks for a grown-up, and reveals nothing of the holder',
    async (name) => {
      const page = await visit(ROUTES[name], lou)
      expect([page.status, page.heading]).toEqual([200, 'Demande à un adulte'])
      expect(page.main.queryByRole('textbox')).toBeNull()
      expect(page.html).not.toContain('subscriber@ondine.test')
    },
  )

  it.each([
    ['/account', '/account/favorites'],
    ['/library', '/library/completed-records'],
  ])('A2.1-32 A2.4-01 %s leads to a screen that a child may see: %s', async (address, screen) => {
    const page = await visit(address, lou)
    expect([page.status, page.address]).toEqual([200, screen])
    expect(page.heading).not.toBe('Demande à un adulte')
  })

  it.each(['/offers', '/offers/cart'])('A4.8-11 %s asks for a grown-up', async (address) => {
    expect((await visit(address, lou)).heading).toBe('Demande à un adulte')
  })
})

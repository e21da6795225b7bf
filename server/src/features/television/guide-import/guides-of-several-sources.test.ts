import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { epg, listChannels } from '@ondine/contract/channels'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { programmes } from './guide.table.ts'

const NOW = NOON / 1000
const HOUR = 3600

describe.each(MAIN_DB)(
  'several guides for one channel, and guides that are too large, on a database of kind %s',
  (kind) => {
    let service: TestService
    let folder: string
    const ids: Record<string, number> = {}

    beforeAll(async () => {
      service = await startTestService(kind, { GUIDE_MAX_MB: 12 })
      folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
      const list = join(folder, 'list.m3u')
      await writeFile(
        list,
        `#EXTM3U
#EXTINF:-1 tvg-id="trois",Trois
http://stream.example/trois.m3u8
#EXTINF:-1 tvg-id="quatre",Quatre
http://stream.example/quatre.m3u8
#EXTINF:-1 tvg-id="quatre" tvg-shift="+1.5",Quatre plus tard
http://stream.example/quatre-plus.m3u8
`,
      )
      await runCommand(service, 'channels import', [list])
      for (const { id, name } of (await service.call(listChannels, {})).result) ids[name] = id
    })
    afterAll(async () => {
      await service.remove()
      await rm(folder, { recursive: true, force: true })
    })

    async function take(
      text: string | Buffer,
      options: Record<string, string> = {},
      file = 'guide.xml',
    ): Promise<string> {
      const path = join(folder, file)
      await writeFile(path, text)
      return await runCommand(service, 'guide import', [path], { name: 'guide', ...options })
    }
    const shown = async (name: string) => {
      const { result } = await service.call(epg, { start: NOW - 24 * HOUR, offset: 0, hours: 48 })
      return (result[`chan_${ids[name] ?? 0}`] ?? []).map(({ title, startutc, endutc }) => [
        title,
        (startutc - NOW) / HOUR,
        (endutc - NOW) / HOUR,
      ])
    }
    const clear = async () => await service.context.db.delete(programmes)

    it('shifts the guide of a channel that shows another channel’s programmes later', async () => {
      await take(
        guideOf(`${show('quatre', 0, 1, '<title>A</title>')}${show('quatre', 1, 2, '<title>B</title>')}`),
      )
      expect(await shown('Quatre')).toEqual([
        ['A', 0, 1],
        ['B', 1, 2],
      ])
      expect(await shown('Quatre plus tard')).toEqual([
        ['A', 1.5, 2.5],
        ['B', 2.5, 3.5],
      ])
      await clear()
    })

    it('prefers the source of highest priority, fills its gaps from the others, and prefers the last import among equals', async () => {
      const from = (name: string, priority: string, list: [string, number, number][]) =>
        take(
          guideOf(
            list
              .map(([title, begin, end]) => show('trois', begin, end, `<title>${title}</title>`))
              .join('\n'),
          ),
          {
            name,
            priority,
          },
        )
      await from('good', '80', [
        ['Good 1', 1, 2],
        ['Good 2', 4, 5],
      ])
      // Where a programme overlaps the better guide, it is cut. It is omitted if it would lose most of its length.
      const second = await from('poor', '20', [
        ['Poor 0', 0, 1.25],
        ['Poor 1', 1.25, 2.25],
        ['Poor 2', 2.25, 3],
        ['Poor 3', 3, 4.25],
        ['Poor 5', 5, 6],
      ])
      expect(second).toContain('1 outranked by another source')
      const both = [
        ['Poor 0', 0, 1],
        ['Good 1', 1, 2],
        ['Poor 2', 2.25, 3],
        ['Poor 3', 3, 4],
        ['Good 2', 4, 5],
        ['Poor 5', 5, 6],
      ]
      expect(await shown('Trois')).toEqual(both)
      // Import the better guide again. Programmes of the other guide stay in its gaps, and are cut or removed
      // elsewhere.
      await from('good', '80', [
        ['Good 1', 1, 2],
        ['Good 2', 3.5, 5],
      ])
      expect(await shown('Trois')).toEqual([
        ['Poor 0', 0, 1],
        ['Good 1', 1, 2],
        ['Poor 2', 2.25, 3],
        ['Poor 3', 3, 3.5],
        ['Good 2', 3.5, 5],
        ['Poor 5', 5, 6],
      ])
      await from('equal', '80', [['Equal', 1, 5]])
      expect((await shown('Trois')).map(([title]) => title)).toEqual(['Poor 0', 'Equal', 'Poor 5'])
      await runCommand(service, 'guide sources remove', ['equal'])
      expect((await shown('Trois')).map(([title]) => title)).toEqual(['Poor 0', 'Poor 5'])
      await expect(from('bad', '101', [])).rejects.toThrow('priority')
      await clear()
    })

    it('refuses a decompression bomb and a guide above the size limit, and keeps the old guide', async () => {
      await take(guideOf(show('trois', 0, 1, '<title>Old</title>')))
      const next = show('trois', 0, 1, '<title>New</title>')
      const bomb = gzipSync(guideOf(`${next}${' '.repeat(1_000_000)}`.repeat(30)))
      expect(bomb.length).toBeLessThan(100_000)
      await expect(take(bomb, {}, 'bomb.xml.gz')).rejects.toThrow('more than 200 times its size')
      // The size limit for guides in this test is 12 MB.
      const large = Array.from({ length: 16_000 }, (_, index) =>
        show(
          'trois',
          index / 60,
          (index + 1) / 60,
          `<title>${index}</title><desc>${'mot '.repeat(200)}</desc>`,
        ),
      ).join('\n')
      await expect(take(guideOf(large))).rejects.toThrow('more than 12 MB')
      await expect(take(gzipSync(guideOf(large)), {}, 'large.xml.gz')).rejects.toThrow(
        'It has more than 12 MB.',
      )
      expect(await shown('Trois')).toEqual([['Old', 0, 1]])
      expect(await runCommand(service, 'guide sources list')).toContain('failed: ')
      await clear()
    })
  },
)

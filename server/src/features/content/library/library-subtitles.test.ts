import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contentData } from '@ondine/contract/catalogue'
import { asc } from 'drizzle-orm'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { assets, medias } from '../../inventory/titles/titles.table.ts'
import { takeLibrary } from './library.service.ts'
import { imports } from './library.table.ts'

const { signal } = new AbortController()
const SCRIPT = `[Script Info]
ScriptType: v4.00+
[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20
[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Été{\\i0}
Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\pos(10,10)\\p1}m 0 0 l 100 0 100 100 0 100{\\p0}
`

let service: TestService
let folder: string
const at = (name: string) => join(folder, name)

beforeEach(async () => {
  service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
  folder = await mkdtemp(join(tmpdir(), 'ondine-subtitles-'))
})
afterEach(async () => {
  await service.remove()
  await rm(folder, { recursive: true, force: true })
})

it('takes subtitles in files, also .ass, and the command names those that it left out', {
  timeout: 120_000,
}, async () => {
  await writeFile(at('Houle.it.srt'), '1\n00:00:01,000 --> 00:00:02,000\nCiao\n')
  await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, at('plain.mp4')])
  // A stream of Blu-ray subtitles without a picture, because ffmpeg makes no pictures from text.
  await writeFile(at('empty.sup'), Buffer.concat([pgsEnd(1), pgsEnd(2)]))
  await ffmpeg([
    ...commandLine`-i ${at('plain.mp4')} -f sup -i ${at('empty.sup')} -map 0 -map 1 -c copy`,
    at('Houle.mkv'),
  ])
  await rm(at('plain.mp4'))
  await rm(at('empty.sup'))
  await writeFile(at('Houle.fr.ass'), Buffer.from(SCRIPT, 'latin1'))
  await writeFile(at('Houle.en.srt'), 'no subtitles at all\n')
  await writeFile(at('Houle.de.sup'), 'PG')
  await writeFile(at('Houle.srt'), Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nÉté\n', 'latin1'))
  const said = await runCommand(service, 'import', [folder], { language: 'fra' })
  expect(said).toContain(`left out: ${at('Houle.en.srt')}: The subtitle file cannot be read.`)
  expect(said).toContain(`left out: ${at('Houle.de.sup')}: subtitles in this format are not supported`)
  expect(said).toContain(`left out: ${at('Houle.mkv')}, stream 2: These subtitles are pictures.`)
  expect(said).toContain('1 files prepared, 0 not imported')
  const remark = `${at('Houle.srt')}: it is not in Unicode and has no language in its name, so it was read as windows-1252`
  expect(said).toContain(`\n${remark}`)
  const listed = await runCommand(service, 'imports list')
  expect(listed).toContain(`left out: ${at('Houle.en.srt')}: `)
  expect(listed).toContain(`\n${remark}`)
  const [media] = await service.context.db.select().from(medias)
  expect(media?.subtitleLanguages).toEqual(expect.arrayContaining(['fra', 'ita', 'und']))
  const text = await service.app.inject({ url: `/media/${media?.trackSetId}/t-fra-1/1.vtt` })
  expect(text.body).toContain('Été')
  expect(text.body).not.toContain('100')
})

/** Returns a segment of a .sup file that ends a picture: magic, two times in ticks of 1/90,000 s, type and length. */
function pgsEnd(seconds: number): Buffer {
  const segment = Buffer.alloc(13)
  segment.write('PG')
  segment.writeUInt32BE(seconds * 90_000, 2)
  segment.writeUInt8(0x80, 10)
  return segment
}

/** Imports the folder, in which `file` becomes unreadable after the scan. */
async function takeWithout(file: string) {
  const { images } = service.context
  const store: typeof images.store = async (...picture) => {
    await rm(at(file))
    return await images.store(...picture)
  }
  await sharp({ create: { width: 20, height: 30, channels: 3, background: '#204060' } }).toFile(
    at('Houle-poster.jpg'),
  )
  return await takeLibrary({ ...service.context, images: { ...images, store } }, folder, { signal })
}

it('V3-08 does not show a title as being prepared whose file cannot be read', async () => {
  await writeFile(at('Houle.mkv'), 'a film')
  const { problems, queued } = await takeWithout('Houle.mkv')
  expect(problems.map(({ path }) => path)).toEqual([at('Houle.mkv')])
  expect(queued).toEqual([])
  const rows = await service.context.db.select().from(assets).orderBy(asc(assets.id))
  expect(rows.map(({ availability }) => availability)).toEqual(['failed'])
  expect((await service.call(contentData, { idAsset: rows[0]?.id ?? 0 })).error.code).toBe(-404)
})

it('prepares a film without a subtitle file that cannot be read', async () => {
  await mkdir(folder, { recursive: true })
  await writeFile(at('Houle.mkv'), 'a film')
  await writeFile(at('Houle.fr.srt'), '1\n00:00:01,000 --> 00:00:02,000\nBonjour\n')
  await writeFile(at('Houle.en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n')
  const { problems, queued } = await takeWithout('Houle.fr.srt')
  expect(problems.map(({ path }) => path)).toEqual([at('Houle.fr.srt')])
  expect(queued).toHaveLength(1)
  const [row] = await service.context.db.select().from(imports)
  expect(row?.work.subtitles.map(({ language }) => language)).toEqual(['eng'])
})

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readAsset } from '@ondine/contract/playback'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import { ingest } from '../../../ingest/ingest.ts'
import { packagerBinary } from '../../../ingest/packager-binary.ts'
import { copyable, ffmpeg, packetHashes, picture, stereo, tone } from '../../../ingest/test-media.ts'

const run = promisify(execFile)

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(async () => await service.remove())

it('an imported film plays: the files of its manifest, decrypted with the keys of its licence, are the film', {
  timeout: 240_000,
}, async () => {
  const { settings, segments } = service.context
  const source = join(settings.DATA_DIR, 'film.mp4')
  await ffmpeg([...picture(), ...tone(), ...copyable, ...stereo, source])
  const { trackSet, key } = await ingest(
    { path: source, segments, encrypted: true, subtitles: [] },
    { signal: new AbortController().signal },
  )
  const make = buildersOf(service.context)
  const film = await make.asset('Film', { trackSet, ...(key && { contentKey: key }) })
  const { tokens } = await make.actor()
  const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'hls' } as const
  const { url } = (await service.call(readAsset, input, tokens)).result

  const get = async (uri: string, base: string) => {
    const { pathname } = new URL(uri, `http://x${base}`)
    const answer = await service.app.inject({ url: pathname })
    expect([pathname, answer.statusCode]).toEqual([pathname, 200])
    return { pathname, bytes: answer.rawPayload }
  }
  const master = hls.parse((await get(url, url)).bytes.toString()) as types.MasterPlaylist
  const media = await get(master.variants[0]?.uri ?? '', url)
  const playlist = hls.parse(media.bytes.toString()) as types.MediaPlaylist
  const [first] = playlist.segments
  const parts = [await get(first?.map?.uri ?? '', media.pathname)]
  for (const segment of playlist.segments) parts.push(await get(segment.uri, media.pathname))
  const licensed = await get(first?.key?.uri ?? '', media.pathname)

  const fetched = join(settings.DATA_DIR, 'fetched.mp4')
  const clear = join(settings.DATA_DIR, 'clear.mp4')
  await writeFile(fetched, Buffer.concat(parts.map(({ bytes }) => bytes)))
  await run(packagerBinary(process.platform, process.arch), [
    `in=${fetched},stream=video,output=${clear}`,
    '--enable_raw_key_decryption',
    '--keys',
    `label=:key_id=${trackSet.encryption?.keyId}:key=${licensed.bytes.toString('hex')}`,
  ])
  expect(await packetHashes(clear, 'v')).toEqual(await packetHashes(source, 'v'))
  // Without the key, the packets differ from the film's.
  expect(await packetHashes(fetched, 'v')).not.toEqual(await packetHashes(source, 'v'))
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { commandLine } from '../command-line.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../test-media.ts'
import { Cutter } from './cutter.ts'
import { FragmentReader } from './fragments.ts'
import { sourceArguments } from './live-source.ts'

/** Encodings with different slice header syntax, which encryption must parse. */
export const ENCODINGS: Readonly<Record<string, string[]>> = {
  'the usual features': copyable,
  'several slices and weighted prediction': commandLine`-c:v libx264 -preset slow -g 50 -sc_threshold 0 -slices 4 -x264-params weightp=2:weightb=1:b-pyramid=normal`,
  'CAVLC without B frames': commandLine`-c:v libx264 -profile:v baseline -preset ultrafast -pix_fmt yuv420p -g 50 -sc_threshold 0`,
  'interlaced pictures': commandLine`-c:v libx264 -preset fast -pix_fmt yuv420p -g 50 -sc_threshold 0 -flags +ildct+ilme -x264-params tff=1`,
}

/** Encodes seven seconds of picture and sound, and cuts them as a live input does: three segments. */
export async function liveCuts(
  folder: string,
  encoding: readonly string[],
): Promise<{ source: string; cuts: ReturnType<Cutter['push']> }> {
  const source = join(folder, 'source.ts')
  await ffmpeg([...picture({ seconds: 7 }), ...tone(7), ...encoding, ...stereo, source])
  const [reader, cutter] = [new FragmentReader(), new Cutter()]
  const repeated = sourceArguments({ kind: 'file', path: source })
  const outputs = repeated.slice(repeated.indexOf('-map'))
  const child = spawn('ffmpeg', ['-nostdin', '-v', 'error', '-i', source, ...outputs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const cuts: ReturnType<Cutter['push']> = []
  child.stdout.on('data', (chunk: Buffer) => {
    for (const part of reader.push(chunk)) cuts.push(...cutter.push(part))
  })
  await once(child, 'close')
  return { source, cuts }
}

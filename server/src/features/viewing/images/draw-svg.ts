import { openSharp } from '../../../ingest/sharp.ts'

/** Draws an SVG as a square PNG. `side` is in pixels. The SVG must be sanitised, or written by the service. */
export async function drawSvg(svg: string, side: number): Promise<Buffer> {
  const sharp = await openSharp()
  return await sharp(Buffer.from(svg)).resize(side, side).png().toBuffer()
}

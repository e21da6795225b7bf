import { open, readFile, writeFile } from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import { describe, expect, it } from 'vitest'
import { IMAGE_LIMITS, type ImageStore, openImageStore } from './images.ts'
import { useWorkbench } from './test-ingest.ts'

const bench = useWorkbench()
const store = (): ImageStore => openImageStore(bench.file('images'))

async function poster(name: string, width = 1000, height = 1500): Promise<string> {
  const path = bench.file(name)
  await sharp({ create: { width, height, channels: 3, background: '#204060' } }).toFile(path)
  return path
}

describe('a picture', () => {
  it('is kept by its content, with its size and mean colour', async () => {
    const first = await store().store(await poster('poster.jpg'))
    expect(first).toMatchObject({ width: 1000, height: 1500 })
    expect(first.id).toMatch(/^[0-9a-f]{32}$/)
    expect(distance(first.color, '#204060')).toBeLessThan(12)
    expect(await store().store(await poster('again.jpg'))).toEqual(first)
  })

  it('stays transparent', async () => {
    const path = bench.file('logo.png')
    await sharp({
      create: { width: 400, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    }).toFile(path)
    expect(await kept(path)).toMatchObject({ hasAlpha: true })
  })

  it('is turned upright and loses its metadata', async () => {
    const path = bench.file('camera.jpg')
    await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Artist: 'secret name', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .toFile(path)
    expect(await store().store(path)).toMatchObject({ width: 200, height: 300 })
    const { exif, orientation, width, height } = await kept(path)
    expect({ exif, orientation, width, height }).toEqual({ width: 200, height: 300 })
  })

  it('is cropped to an upright part around its focus, at full height', async () => {
    const path = bench.file('wide.png')
    const light = await sharp({ create: { width: 120, height: 120, channels: 3, background: '#ffd040' } })
      .png()
      .toBuffer()
    await sharp({ create: { width: 960, height: 540, channels: 3, background: '#101418' } })
      .composite([{ input: light, left: 780, top: 200 }])
      .toFile(path)
    const whole = await store().store(path)
    const cut = await store().store(path, 'upright')
    expect(whole).toMatchObject({ width: 960, height: 540 })
    expect(cut).toMatchObject({ width: 360, height: 540 })
    expect(cut.id).not.toBe(whole.id)
    const kept = (await store().original(cut.id)) ?? ''
    const { data, info } = await sharp(kept).raw().toBuffer({ resolveWithObject: true })
    let bright = 0
    for (let at = 0; at < data.length; at += info.channels) if ((data[at] ?? 0) > 200) bright += 1
    // The cropped picture contains the whole bright area.
    expect(bright).toBeGreaterThan(120 * 120 * 0.9)
  })

  it('that is already upright is not cropped', async () => {
    expect(await store().store(await poster('tall.jpg', 400, 900), 'upright')).toMatchObject({
      width: 400,
      height: 900,
    })
  })

  it('with a wrong file extension is read as its actual format', async () => {
    const path = bench.file('really-a-png.jpg')
    await sharp({ create: { width: 30, height: 20, channels: 3, background: '#123456' } })
      .png()
      .toFile(path)
    const image = await store().store(path)
    expect(image).toMatchObject({ width: 30, height: 20 })
    expect(distance(image.color, '#123456')).toBeLessThan(12)
  })

  it('with an animation is kept as its first frame', async () => {
    const path = bench.file('moving.gif')
    const frames = ['#ff0000', '#0000ff'].map((background) => ({
      create: { width: 60, height: 40, channels: 3 as const, background },
    }))
    const pictures = await Promise.all(frames.map(async (frame) => await sharp(frame).png().toBuffer()))
    await sharp(pictures, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toFile(path)
    expect((await sharp(path, { animated: true }).metadata()).pages).toBe(2)
    const image = await store().store(path)
    expect(image).toMatchObject({ width: 60, height: 40, color: '#ff0000' })
    expect((await kept(path)).pages ?? 1).toBe(1)
  })

  it('in print colours is converted to screen colours', async () => {
    const path = bench.file('print.jpg')
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c02020' } })
      .toColourspace('cmyk')
      .jpeg({ quality: 100 })
      .toFile(path)
    expect((await sharp(path).metadata()).space).toBe('cmyk')
    const { color } = await store().store(path)
    expect((await kept(path)).space).toBe('srgb')
    expect(distance(color, '#c02020')).toBeLessThan(60)
  })

  it('with a wide colour space is converted to sRGB, and loses its profile', async () => {
    const path = bench.file('wide.png')
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c02020' } })
      .withIccProfile('p3')
      .png()
      .toFile(path)
    const { color } = await store().store(path)
    const { icc, space } = await kept(path)
    expect({ icc, space }).toEqual({ icc: undefined, space: 'srgb' })
    expect(distance(color, '#c02020')).toBeLessThan(12)
  })

  it('that was removed or never stored is not found', async () => {
    const images = store()
    const { id } = await images.store(await poster('gone.png', 20, 30))
    expect(await images.original(id)).toContain(id)
    await images.remove(id)
    expect(await images.original(id)).toBeUndefined()
    expect(await images.original('0'.repeat(32))).toBeUndefined()
    await expect(images.original('../../etc/passwd')).rejects.toThrow('not the id')
  })
})

/** Returns the metadata of the stored picture. */
async function kept(path: string): Promise<Metadata> {
  const images = store()
  const { id } = await images.store(path)
  return await sharp(await images.original(id)).metadata()
}

/** Returns the distance between two colours, summed over their channels. */
function distance(one: string, other: string): number {
  const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return channels(one).reduce((sum, value, index) => sum + Math.abs(value - (channels(other)[index] ?? 0)), 0)
}

describe('a vector picture', () => {
  const svg = (content: string, size = 'width="40" height="20"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`

  it('is rasterised in high resolution, and nothing else of it is kept', async () => {
    const path = bench.file('logo.svg')
    await writeFile(
      path,
      svg('<script>alert(1)</script><rect width="40" height="20" fill="#00ff00" onload="alert(1)"/>'),
    )
    expect(await store().store(path)).toMatchObject({ width: 2160, height: 1080, color: '#00ff00' })
    expect((await kept(path)).format).toBe('webp')
  })

  it('reads no local file', async () => {
    await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } }).toFile(
      bench.file('private.png'),
    )
    const path = bench.file('leak.svg')
    await writeFile(
      path,
      svg(
        `<image xlink:href="file://${bench.file('private.png')}" width="40" height="20"/><image href="private.png" width="40" height="20"/>`,
      ),
    )
    const { color } = await store().store(path)
    expect(color).toBe('#080b10')
  })

  it.each([
    ['of absurd size', svg('<rect width="1" height="1"/>', 'width="100000" height="100000"')],
    [
      'with an entity bomb',
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}"><!ENTITY d "${'&c;'.repeat(1000)}">]>${svg('<text>&d;</text>')}`,
    ],
    ['that is larger than two megabytes', svg(`<!--${'x'.repeat(2_100_000)}-->`)],
  ])('%s is refused', async (_, content) => {
    const path = bench.file('bad.svg')
    await writeFile(path, content)
    await expect(store().store(path)).rejects.toMatchObject({ reason: 'imageUnreadable' })
  })
})

describe('a file that is not a picture', () => {
  it.each<[string, string | Buffer]>([
    ['text', 'hello'],
    ['nothing', ''],
    ['a page', '<html><script>alert(1)</script></html>'],
    ['half a JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex')],
  ])('%s is refused', async (_, content) => {
    const path = bench.file('bad.jpg')
    await writeFile(path, content)
    await expect(store().store(path)).rejects.toMatchObject({ reason: 'imageUnreadable' })
  })

  it('a bomb of pixels is refused', async () => {
    const path = bench.file('bomb.png')
    await sharp({
      create: { width: 16000, height: 16000, channels: 3, background: 'red' },
      limitInputPixels: false,
    })
      .png()
      .toFile(path)
    await expect(store().store(path)).rejects.toMatchObject({ reason: 'imageUnreadable' })
  }, 240_000)

  it('a truncated picture is refused', async () => {
    const whole = await readFile(await poster('whole.jpg', 600, 400))
    const path = bench.file('cut.jpg')
    await writeFile(path, whole.subarray(0, whole.length / 2))
    await expect(store().store(path)).rejects.toMatchObject({ reason: 'imageUnreadable' })
  })

  it('a file above the size limit is refused unread', async () => {
    const path = bench.file('endless.png')
    const file = await open(path, 'w')
    // The file is sparse, so it takes no disk space.
    await file.truncate(IMAGE_LIMITS.bytes + 1)
    await file.close()
    await expect(store().store(path)).rejects.toMatchObject({ reason: 'imageUnreadable' })
  })

  it('a missing file is refused', async () => {
    await expect(store().store(bench.file('missing.jpg'))).rejects.toMatchObject({
      reason: 'imageUnreadable',
    })
  })
})

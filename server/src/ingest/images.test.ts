import { readdir, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type ImageStore, openImageStore } from './images.ts'
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
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      Number.parseInt(first.color.slice(at, at + 2), 16),
    )
    expect(Math.abs(red - 0x20) + Math.abs(green - 0x40) + Math.abs(blue - 0x60)).toBeLessThan(12)
    expect(await store().store(await poster('again.jpg'))).toEqual(first)
  })

  it('is scaled to a height, once, never enlarged', async () => {
    const images = store()
    const { id } = await images.store(await poster('scaled.png', 800, 450))
    const asked = await Promise.all(
      Array.from({ length: 20 }, async () => await images.scaled(id, 240, 'webp')),
    )
    expect(new Set(asked.map((file) => file?.path)).size).toBe(1)
    const file = asked[0]
    expect(file?.contentType).toBe('image/webp')
    expect(await sharp(file?.path).metadata()).toMatchObject({ format: 'webp', width: 427, height: 240 })
    const large = await images.scaled(id, 1080, 'jpeg')
    expect(await sharp(large?.path).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 450 })
    const modern = await images.scaled(id, 240, 'avif')
    expect(await sharp(modern?.path).metadata()).toMatchObject({ format: 'heif', height: 240 })
    expect((await readdir(bench.file(`images/${id.slice(0, 2)}/${id}`))).sort()).toEqual([
      '1080.jpeg',
      '240.avif',
      '240.webp',
      'original.webp',
    ])
  })

  it('stays transparent, as PNG where JPEG was asked for', async () => {
    const path = bench.file('logo.png')
    await sharp({
      create: { width: 400, height: 100, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
    }).toFile(path)
    const images = store()
    const { id } = await images.store(path)
    const file = await images.scaled(id, 240, 'jpeg')
    expect(file?.contentType).toBe('image/png')
    expect(await sharp(file?.path).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('stands upright and loses its metadata', async () => {
    const path = bench.file('camera.jpg')
    await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Artist: 'secret name', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .toFile(path)
    const images = store()
    const { id, width, height } = await images.store(path)
    expect([width, height]).toEqual([200, 300])
    const file = await images.scaled(id, 240, 'jpeg')
    expect((await sharp(file?.path).metadata()).exif).toBeUndefined()
  })

  it('that is gone or never was is not found', async () => {
    const images = store()
    const { id } = await images.store(await poster('gone.png', 20, 30))
    await images.remove(id)
    expect(await images.scaled(id, 240, 'webp')).toBeUndefined()
    expect(await images.scaled('0'.repeat(32), 240, 'webp')).toBeUndefined()
    await expect(images.scaled('../../etc/passwd', 240, 'webp')).rejects.toThrow('not the id')
  })
})

describe('a vector picture', () => {
  const svg = (content: string, size = 'width="40" height="20"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`

  it('becomes pixels, finely, and nothing else of it is kept', async () => {
    const path = bench.file('logo.svg')
    await writeFile(
      path,
      svg('<script>alert(1)</script><rect width="40" height="20" fill="#00ff00" onload="alert(1)"/>'),
    )
    const images = store()
    const image = await images.store(path)
    expect(image).toMatchObject({ width: 2160, height: 1080, color: '#00ff00' })
    const file = await images.scaled(image.id, 240, 'webp')
    expect((await sharp(file?.path).metadata()).format).toBe('webp')
  })

  it('reads no file of this machine', async () => {
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

describe('no picture', () => {
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
  }, 60_000)

  it('a missing file is refused', async () => {
    await expect(store().store(bench.file('missing.jpg'))).rejects.toMatchObject({
      reason: 'imageUnreadable',
    })
  })
})

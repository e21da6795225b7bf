import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawSlate, type SlateLook } from './slate-picture.ts'

const LOOK: SlateLook = {
  name: 'Ondine',
  logo: '',
  sentence: 'Le signal revient dans un instant.',
  background: '#102030',
  glow: '#203040',
  accent: '#ff8800',
  text: '#ffffff',
  quietText: '#c0c0c0',
}
const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>'

/** Draws a slate. Returns its size, the colour of its corner, and the number of pixels of a colour. */
async function read(look: Partial<SlateLook>, width = 640, height = 360) {
  const png = await drawSlate({ ...LOOK, ...look }, { width, height })
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const count = (red: number, green: number, blue: number) => {
    let found = 0
    for (let at = 0; at < data.length; at += 3)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) found++
    return found
  }
  return { size: [info.width, info.height], corner: [...data.subarray(0, 3)], count }
}

describe('the picture of a slate', () => {
  it.each([
    [640, 360],
    [1920, 1080],
    [480, 640],
    [2, 2],
  ])('has the size of the channel: %i by %i', async (width, height) => {
    expect((await read({}, width, height)).size).toEqual([width, height])
  })

  it('has the colours of the storefront', async () => {
    const { corner, count } = await read({})
    for (const [index, value] of [0x10, 0x20, 0x30].entries())
      expect(Math.abs((corner[index] ?? 0) - value)).toBeLessThan(4)
    expect(count(0xff, 0x88, 0)).toBeGreaterThan(50)
    expect(count(0xff, 0xff, 0xff)).toBeGreaterThan(200)
    expect(count(0xc0, 0xc0, 0xc0)).toBeGreaterThan(100)
  })

  it.each([
    ['escaped', `data:image/svg+xml,${encodeURIComponent(RED)}`],
    ['with a charset', `data:image/svg+xml;charset=utf-8,${encodeURIComponent(RED)}`],
    ['in base64', `data:image/svg+xml;base64,${Buffer.from(RED).toString('base64')}`],
  ])('has the logo instead of the name: %s', async (_how, logo) => {
    const { count } = await read({ logo })
    expect(count(0xff, 0, 0)).toBeGreaterThan(1000)
    expect(count(0xff, 0xff, 0xff)).toBe(0)
  })

  it.each([
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,%E0%A4%A',
    'data:image/svg+xml,<svg',
    'data:image/png,',
    '/logo.svg',
  ])('has the name where the logo is no picture: %s', async (logo) => {
    const { count } = await read({ logo })
    expect(count(0xff, 0xff, 0xff)).toBeGreaterThan(200)
  })

  it.each(['', 'x'.repeat(60), 'Ωνδίνη', '<b>&amp;'])('takes any name: %j', async (name) => {
    expect((await read({ name })).size).toEqual([640, 360])
  })
})

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { AppIcons } from './app-icons.service.ts'

describe('the icon for home screens', () => {
  const square = (color: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="${color}"/></svg>`
  let service: TestService
  let elsewhere: Server
  let pictures: string
  let asked = 0
  beforeAll(async () => {
    service = await startTestService(MAIN_DB[0], { OUTBOUND_ALLOW: ['127.0.0.1'] }, { hasPages: true })
    elsewhere = createServer((_request, reply) => {
      asked += 1
      reply.end(square('#00ff00'))
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    pictures = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    elsewhere.close()
    await service.remove()
  })

  /** Returns the answer for a new storefront. */
  async function iconOf(key: string, brand: object) {
    const { storefronts, configurations } = service.context
    const host = `${key}.test`
    const { id } = await storefronts.create({ apiKey: key, name: 'Quai', hosts: [host] })
    const document = { brand, colors: { surface0: '#0000ff' } }
    await configurations.document(id).replace(0, document, { author: 'Dominique', reason: '' })
    return await service.app.inject({ url: '/app-icon.png', headers: { host } })
  }

  /** Returns the colours in the middle of an icon and in its corner. */
  async function coloursOf(png: Buffer): Promise<string[]> {
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 512, height: 512 })
    return [256, 4].map((at) => {
      const pixel = (at * info.width + at) * info.channels
      return data.toString('hex', pixel, pixel + 3)
    })
  }

  it('is PNG, with an embedded picture on the background of the site', async () => {
    const icon = `data:image/svg+xml;base64,${Buffer.from(square('#ff0000')).toString('base64')}`
    const answer = await iconOf('embedded', { icon })
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=3600',
    })
    expect(await coloursOf(answer.rawPayload)).toEqual(['ff0000', '0000ff'])
  })

  it('V3-55 has a logo at an address, fetched once', async () => {
    // The configuration takes https addresses only, for which this server has no certificate.
    const { brand, colors } = DEFAULT_CONFIGURATION
    const look = {
      brand: { ...brand, logos: { ...brand.logos, logo: `${pictures}/logo.svg` } },
      colors: { ...colors, surface0: '#0000ff' },
    }
    const icons = new AppIcons(service.context)
    const png = await icons.png(look)
    expect(await coloursOf(png ?? Buffer.of())).toEqual(['00ff00', '0000ff'])
    expect(await icons.png(look)).toBe(png)
    expect(asked).toBe(1)
  })

  it.each([
    ['cannot be fetched', () => pictures.replace('http:', 'https:')],
    ['is in a private network', () => 'https://10.0.0.1/logo.png'],
  ])('is the wave if the picture at its address %s', async (_why, address) => {
    const answer = await iconOf(randomUUID(), { icon: address() })
    expect(answer.statusCode).toBe(200)
    const [, corner] = await coloursOf(answer.rawPayload)
    expect(corner).toBe('0000ff')
  })

  it('is the file of the site that the configuration names', async () => {
    const { statusCode, headers } = await iconOf('path', { icon: '/logo' })
    expect([statusCode, headers.location]).toEqual([302, '/logo'])
  })
})

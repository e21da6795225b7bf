import { describe, expect, test } from 'vitest'
import { DeepLinkError, pathOfLink, signOnPath } from './deep-link.ts'

describe('A4.3-01 A4.3-02 a link that opened the app', () => {
  test.each([
    ['ondine://auth/callback?access_token=a.b-c', '/auth/callback?access_token=a.b-c'],
    ['ondine://auth/callback?access_token=a&state=s', '/auth/callback?access_token=a&state=s'],
    ['ondine://auth/callback#state=s%26&access_token=a', '/auth/callback?access_token=a&state=s%26'],
    ['ondine://auth/callback#token_type=bearer&access_token=a%2Bb', '/auth/callback?access_token=a%2Bb'],
    ['ONDINE:auth?access_token=x&next=//evil.example', '/auth/callback?access_token=x'],
  ])('%s leads to the callback with only its token and state', (link, path) => {
    expect(signOnPath(link)).toBe(path)
  })

  test.each([
    ['ondine://auth/callback', 'no access_token'],
    ['ondine://auth/callback?access_token=', 'no access_token'],
    ['ondine://auth/callback?code=secret', 'no access_token'],
    ['https://evil.example/auth/callback?access_token=secret', 'the scheme https:'],
    ['javascript:alert(1)?access_token=secret', 'the scheme javascript:'],
    ['ondine-content:vod_asset/1/La Houle', 'the scheme ondine-content:'],
    ['', 'no address'],
    ['access_token=secret', 'no address'],
  ])('%j throws an error with the reason, and never with the token', (link, why) => {
    const opening = () => signOnPath(link)
    expect(opening).toThrow(DeepLinkError)
    expect(opening).toThrow(why)
    expect(opening).not.toThrow('secret')
  })
})

describe('A2.1-02 a link that opens a page of the app', () => {
  const SITE = 'https://tv.example'

  test.each([
    ['https://tv.example/', '/'],
    ['https://tv.example/content/la-houle-12?tab=more#cast', '/content/la-houle-12?tab=more#cast'],
    ['https://tv.example/en/live?day=1', '/live?day=1'],
    ['https://tv.example/fr', '/'],
    ['https://tv.example/entre-deux', '/entre-deux'],
    ['ondine://', '/'],
    ['ondine://live', '/live'],
    ['ondine://content/la-houle-12?tab=more', '/content/la-houle-12?tab=more'],
    ['ondine:///epg', '/epg'],
    ['ondine://offers/confirmation?orderId=7', '/offers/confirmation?orderId=7'],
    ['ondine://auth/callback?access_token=a&state=s', '/auth/callback?access_token=a&state=s'],
    ['ondine://oauth/generic/callback#access_token=a&state=s', '/auth/callback?access_token=a&state=s'],
    ['ondine://auth/login', '/auth/login'],
  ])('%s leads to %s', (link, path) => {
    expect(pathOfLink(link, SITE)).toBe(path)
  })

  test.each([
    ['ondine://assets', '/all-content'],
    ['ondine://assets/12?tab=more#cast', '/content/12?tab=more#cast'],
    ['ondine://categories/4/index', '/category/4'],
    ['ondine://player/channel/3', '/channel/3'],
    ['ondine://editorial/tides', '/read/articles/tides'],
    ['ondine://articles', '/read/articles'],
    ['ondine://offers/7', '/offers/7'],
    ['ondine://page/faq', '/page/faq'],
    ['ondine://vod_asset/12/La-Houle', '/content/la-houle-12'],
    ['ondine://live_channel/3/Rive', '/channel/rive-3'],
    ['ondine://season/52/50/Marees', '/series/50/details?seasonid=52'],
    ['ondine://season/52/50/Marees#end', '/series/50/details?seasonid=52#end'],
    ['ondine://series/50/details?seasonid=52', '/series/50/details?seasonid=52'],
    ['ondine://vod_asset/12?utm=x', '/content/12?utm=x'],
    ['ondine:assets/12', '/content/12'],
  ])('V2.2-07 V2.2-08 V2.2-12 %s leads to %s, as in texts and menus', (link, path) => {
    expect(pathOfLink(link, SITE)).toBe(path)
  })

  test.each([
    ['ondine:https://evil.example/secret', 'no path'],
    ['ondine:mailto:secret@evil.example', 'no path'],
    ['https://evil.example/live?access_token=secret', 'another site'],
    ['http://tv.example/live', 'another site'],
    ['https://tv.example:8443/live', 'another site'],
    ['https://tv.example@evil.example/live', 'another site'],
    ['https://tv.example.evil.example/secret', 'another site'],
    ['javascript:alert("secret")', 'another site'],
    ['capacitor://localhost/live', 'another site'],
    ['https://tv.example//evil.example/secret', 'no path'],
    ['https://tv.example/en//evil.example/secret', 'no path'],
    ['ondine:////evil.example/secret', 'no path'],
    ['ondine://auth/callback?code=secret', 'no access_token'],
    ['/live', 'no address'],
    ['', 'no address'],
  ])('%j is refused: %s', (link, why) => {
    const opening = () => pathOfLink(link, SITE)
    expect(opening).toThrow(DeepLinkError)
    expect(opening).toThrow(why)
    expect(opening).not.toThrow('secret')
  })
})

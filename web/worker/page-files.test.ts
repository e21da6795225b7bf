import { expect, test } from 'vitest'
import { filesIn } from './page-files.ts'

test('A2.4-02 the files of a page are its styles, its scripts and those that a script imports, each once', () => {
  const page =
    '<html><head><link rel="stylesheet" href="/assets/app-Ab_1.css"><link rel="modulepreload" href="/assets/a-1.js">' +
    '<link rel="preload" href="/assets/face-1.woff2" as="font"></head>' +
    '<body><img src="/images/7/360"><script type="module">import("/assets/b-2.js")</script>' +
    '<script src="/assets/a-1.js"></script></body></html>'
  expect(filesIn(page)).toEqual(['/assets/app-Ab_1.css', '/assets/a-1.js', '/assets/b-2.js'])
  expect(filesIn('<!DOCTYPE html><html lang="fr"></html>')).toEqual([])
})

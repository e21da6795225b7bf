/** Loads Sharp when the first picture needs it, because the module is large. */
export async function openSharp() {
  sharp ??= open()
  return await sharp
}

let sharp: ReturnType<typeof open> | undefined

async function open() {
  const library = await import('sharp')
  // One thread per picture, because `PICTURES_AT_ONCE` pictures are processed at the same time.
  library.default.concurrency(1)
  // `PictureCache` caches encoded pictures on disk. Sharp's own cache would hold up to 50 MB of source data in
  // memory.
  library.default.cache(false)
  return library.default
}

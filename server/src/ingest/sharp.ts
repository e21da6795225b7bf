/** Loads Sharp with the first picture, because it is large. */
export async function openSharp() {
  sharp ??= open()
  return await sharp
}

let sharp: ReturnType<typeof open> | undefined

async function open() {
  const library = await import('sharp')
  // One thread per picture. `PICTURES_AT_ONCE` limits how many pictures are made at once.
  library.default.concurrency(1)
  // Encoded pictures are cached on disk (`PictureCache`). Sharp's own cache would keep up to 50 MB of source data.
  library.default.cache(false)
  return library.default
}

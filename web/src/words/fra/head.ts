export const head = {
  tagline: 'Films, séries et direct',
  description: 'Des films et des séries choisis avec soin, des chaînes en direct, sur tous vos écrans.',
}

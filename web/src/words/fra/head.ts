export const head = {
  tagline: 'Films, séries et direct',
  description:
    'Des films et des séries choisis, des chaînes en direct, sur tous vos écrans. Regardez, reprenez, découvrez.',
}

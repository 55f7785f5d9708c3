// At night: about three times as long as test:deep, with other random cases every day.
process.env.DEEP = 'long';
process.env.RANDOM_SEED ??= new Date().toISOString().slice(0, 10).replaceAll('-', '');
module.exports = require('./deep.config.js');

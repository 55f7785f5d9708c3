// At night: about three times as long as test:deep.
process.env.DEEP = 'long';
module.exports = require('./deep.config.js');

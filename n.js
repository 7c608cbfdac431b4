const fs=require('fs/promises');
(async()=>{ for (let i=0;i<3;i++){ await fs.writeFile('c.json.tmp', JSON.stringify({i})); await fs.rename('c.json.tmp','c.json'); console.log('saved',i);} })();
